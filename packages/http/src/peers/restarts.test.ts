import { describe, expect, test } from 'bun:test'
import { createRestarts } from './restarts'

const failure = (code: string) => Object.assign(new Error(code), { code })
const refused = () => failure('ECONNREFUSED')
const place = ['http://127.0.0.1:1']
/** A clock that stands: however long a busy machine takes, no request waits for too long. */
const still = () => 0
const patient = { isRepeatable: false, timeoutMs: 5000 }

/** Lets everything go on that waits for nothing else. */
async function turns() {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

/** Answers with what stands in the list, one after another; its last entry again and again. */
function peer(...outcomes: (Error | Record<string, string>)[]) {
  let calls = 0
  return {
    calls: () => calls,
    send: async () => {
      const outcome = outcomes[Math.min(calls++, outcomes.length - 1)]
      if (outcome instanceof Error) throw outcome
      return new Response('', { headers: outcome ?? {} })
    },
  }
}

describe('a request to a service that restarts', () => {
  test('is sent again while nothing listens there, whatever it is', async () => {
    const { send, calls } = peer(refused(), refused(), refused(), {})
    expect((await createRestarts(10_000, still).send(place, send, patient)).status).toBe(200)
    expect(calls()).toBe(4)
  })

  test('is sent again after a broken connection only where it may be repeated', async () => {
    const first = peer(failure('ECONNRESET'), {})
    await expect(createRestarts(10_000).send(place, first.send, patient)).rejects.toThrow('ECONNRESET')
    expect(first.calls()).toBe(1)
    const second = peer(failure('ECONNRESET'), {})
    await createRestarts(10_000, still).send(place, second.send, { ...patient, isRepeatable: true })
    expect(second.calls()).toBe(2)
  })

  test.each(['ENOTFOUND', 'TimeoutError', 'CERT_HAS_EXPIRED'])('is not sent again after %s', async (code) => {
    const { send, calls } = peer(failure(code), {})
    await expect(createRestarts(10_000).send(place, send, { ...patient, isRepeatable: true })).rejects.toThrow(code)
    expect(calls()).toBe(1)
  })

  test('waits no longer than its caller, nor for one who has gone', async () => {
    const { send, calls } = peer(refused())
    await expect(createRestarts(10_000).send(place, send, { ...patient, timeoutMs: 0 })).rejects.toThrow('ECONNREFUSED')
    await expect(createRestarts(10_000).send(place, send, { ...patient, signal: AbortSignal.abort() })).rejects.toThrow(
      'ECONNREFUSED',
    )
    expect(calls()).toBe(2)
  })

  test('waits for three seconds more once its own service ends, and no request after that', async () => {
    let nowMs = 0
    const restarts = createRestarts(60_000, () => nowMs)
    const { send, calls } = peer(refused())
    const waiting = restarts.send(
      place,
      async () => {
        if (calls() === 2) restarts.end()
        if (calls() === 4) nowMs += 2990
        return await send()
      },
      { ...patient, timeoutMs: 60_000 },
    )
    await expect(waiting).rejects.toThrow('ECONNREFUSED')
    expect(calls()).toBe(5)
    await expect(restarts.send(place, send, patient)).rejects.toThrow('ECONNREFUSED')
    expect(calls()).toBe(6)
  })

  test('is not held up by one that has been away for long; the next answer ends that', async () => {
    let nowMs = 0
    const restarts = createRestarts(1000, () => nowMs)
    const first = peer(refused())
    const waiting = restarts.send(
      place,
      async () => {
        nowMs += 600
        return await first.send()
      },
      patient,
    )
    await expect(waiting).rejects.toThrow('ECONNREFUSED')
    expect(first.calls()).toBe(3)
    const second = peer(refused())
    await expect(restarts.send(place, second.send, patient)).rejects.toThrow('ECONNREFUSED')
    expect(second.calls()).toBe(1)
    // Another place is another service.
    const other = peer(refused(), {})
    await restarts.send(['http://127.0.0.1:2'], other.send, patient)
    expect(other.calls()).toBe(2)
    await restarts.send(place, peer({}).send, patient)
    const third = peer(refused(), {})
    await restarts.send(place, third.send, patient)
    expect(third.calls()).toBe(2)
  })

  test('waits for none where the setting says so', async () => {
    const { send, calls } = peer(refused(), {})
    await expect(createRestarts(0).send(place, send, patient)).rejects.toThrow('ECONNREFUSED')
    expect(calls()).toBe(1)
  })
})

test('nothing is sent to a service that has said that it ends until its port is closed', async () => {
  let nowMs = 0
  const restarts = createRestarts(10_000, () => nowMs)
  await restarts.send(place, peer({ connection: 'close' }).send, patient)
  let isSent = false
  const held = restarts.send(
    place,
    async () => {
      isSent = true
      return new Response()
    },
    patient,
  )
  await turns()
  expect(isSent).toBe(false)
  nowMs = 1000
  await held
  expect(isSent).toBe(true)
})
