// Any order of logins, refreshes, logouts and waiting, by any token ever issued, against a model of the
// decisions: a token is usable once, or again within ten seconds while its successor is unused; any other use
// ends its session, as a logout does.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import fc from 'fast-check'
import { openService, type TestIdentityManager } from './harness'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
let service: TestIdentityManager
beforeAll(async () => {
  service = await openService({ now: clock })
})
afterAll(() => service.close())

interface Token {
  text: string
  session: { live: boolean }
  usedAt: number | null
  successor: Token | null
}

type Step =
  | { kind: 'login' }
  | { kind: 'refresh'; token: number }
  | { kind: 'logout'; token: number }
  | { kind: 'wait'; ms: number }

const anyToken = fc.nat({ max: 15 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'login' } as const) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('refresh' as const), token: anyToken }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('logout' as const), token: anyToken }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 4000, 10_000, 10_001) }),
  },
)

test('sessions behave like their model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const tokens: Token[] = []
      for (const each of steps) {
        if (each.kind === 'wait') clock.advance(each.ms)
        else if (each.kind === 'login')
          tokens.push(newToken((await service.logIn()).body.data.refreshToken, { live: true }))
        else await use(tokens, each)
      }
      // At the end a refresh token works if, and only if, the model says so.
      for (let token = tokens.length - 1; token >= 0; token--) await use(tokens, { kind: 'refresh', token })
    }),
    { numRuns: 50 },
  )
})

const newToken = (text: string, session: Token['session']): Token => ({ text, session, usedAt: null, successor: null })

async function use(tokens: Token[], { kind, token: place }: { kind: 'refresh' | 'logout'; token: number }) {
  const token = tokens[place % Math.max(1, tokens.length)]
  if (!token) return
  const answer = await service.post(`/auth/${kind}`, { refreshToken: token.text })
  if (kind === 'logout') {
    token.session.live = false
    return expect(answer.status).toBe(200)
  }
  if (!token.session.live) return expect(answer.status).toBe(401)
  const isFirst = token.usedAt === null
  const isRetry = !isFirst && clock().getTime() - Number(token.usedAt) <= 10_000 && token.successor?.usedAt === null
  if (!isFirst && !isRetry) {
    token.session.live = false
    return expect(answer.status).toBe(401)
  }
  expect(answer.status).toBe(200)
  const next = answer.body.data.refreshToken
  if (isRetry) return expect(next).toBe(String(token.successor?.text))
  expect(tokens.map(({ text }) => text)).not.toContain(next)
  token.usedAt = clock().getTime()
  token.successor = newToken(next, token.session)
  tokens.push(token.successor)
}
