import { expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import type { ConsoleUser } from '../access/authenticate'
import type { Target } from '../front/target'
import { requireStepUp } from './require-step-up'

const now = Date.parse('2026-03-01T12:00:00.000Z')
const minuteMs = 60_000
type Deps = Parameters<typeof requireStepUp>[0]

/** What becomes of a decision that takes two persons: `taken`, or the code of the refusal. */
async function decide(agoMs: number | null, environment: 'production' | 'sandbox' = 'production'): Promise<string> {
  const deps = {
    config: { fourEyesUsd: 1000, environment },
    client: { find: async () => ({ required: 2 }) },
    now: () => new Date(now),
  } as unknown as Deps
  const user = { verifiedAt: agoMs === null ? null : new Date(now - agoMs) } as ConsoleUser
  const target = { service: 'core-ledger', path: '/transactions/1/approve-frozen-deposit' } as Target
  return await requireStepUp(deps, user, { target, method: 'POST', body: null }).then(
    () => 'taken',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
}

test.each([
  ['just now', 0, 'taken'],
  ['less than five minutes ago', 5 * minuteMs - 1, 'taken'],
  ['five minutes ago', 5 * minuteMs, 'SECOND_FACTOR_NEEDED'],
  ['by a clock that was ahead', -1, 'SECOND_FACTOR_NEEDED'],
  ['never', null, 'SECOND_FACTOR_NEEDED'],
])('a large decision by a user whose second factor was shown %s', async (_, agoMs, outcome) => {
  expect(await decide(agoMs)).toBe(outcome)
})

test('in a sandbox only users who have shown a second factor are asked for it', async () => {
  expect(await decide(null, 'sandbox')).toBe('taken')
  expect(await decide(6 * minuteMs, 'sandbox')).toBe('SECOND_FACTOR_NEEDED')
})
