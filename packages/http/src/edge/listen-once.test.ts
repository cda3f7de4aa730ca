import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import { listenOnce } from './listen-once'

const place = { hostname: '127.0.0.1', port: 0 }

test('an app that listens is compiled once, without traces, answers, and errors have theirs afterwards', async () => {
  const usual = Error.stackTraceLimit
  const traces: number[] = []
  class Watched extends Elysia {
    override compile() {
      traces.push(Error.stackTraceLimit)
      return super.compile()
    }
  }
  const app = new Watched({ systemRouter: false }).get('/', () => 'here')
  const exits = process.listeners('beforeExit').length
  listenOnce(app)
  app.listen(place)
  try {
    expect(await (await fetch(`${app.server?.url}`)).text()).toBe('here')
    expect(traces).toEqual([0])
    expect(Error.stackTraceLimit).toBe(usual)
    // One would keep a service that has stopped in memory.
    expect(process.listeners('beforeExit')).toHaveLength(exits)
  } finally {
    await app.server?.stop(true)
  }
})

test('an app that does not compile leaves errors their traces, and opens no port', () => {
  const usual = Error.stackTraceLimit
  const app = Object.assign(new Elysia(), {
    compile() {
      throw new Error('a route that cannot be')
    },
  })
  listenOnce(app)
  expect(() => app.listen(place)).toThrow('a route that cannot be')
  expect(app.server).toBeNull()
  expect(Error.stackTraceLimit).toBe(usual)
})

test('a port that an app listens on is not shared with another', async () => {
  const [first, second] = [new Elysia(), new Elysia()]
  for (const app of [first, second]) listenOnce(app)
  first.listen(place)
  try {
    expect(() => second.listen({ ...place, port: Number(first.server?.port) })).toThrow('in use')
  } finally {
    await first.server?.stop(true)
  }
})
