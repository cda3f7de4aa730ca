import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import type { Answer } from '@bursar/testing/service'
import { openService, refused } from './harness'

describe('when many passwords are verified at once', () => {
  test('two are under way at a time, so many wait, the others get 503 and count as no failure', async () => {
    let running = 0
    let most = 0
    let open = false
    const gate: (() => void)[] = []
    const own = await openService({
      hasher: {
        hash: async (password) => password,
        async verify(password, hash) {
          most = Math.max(most, ++running)
          if (!open) await new Promise<void>((resolve) => gate.push(resolve))
          running--
          return password === hash
        },
      },
    })
    const emails = Array.from({ length: 40 }, (_, i) => `user-${i}@bank.example`)
    // Which of them come to their turn first is the database's matter.
    const early: { email: string; answer: Answer }[] = []
    const answers = emails.map(async (email) => {
      const answer = await own.logIn(email, 'wrong')
      if (!open) early.push({ email, answer })
      return answer.status
    })
    await until(() => early.length >= 6, { what: 'six to be refused' })
    for (const { answer } of early) {
      expect(refused(answer, 503)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect(early.length).toBe(6)
    open = true
    for (const release of gate) release()
    expect((await Promise.all(answers)).toSorted()).toEqual([...Array(34).fill(401), ...Array(6).fill(503)])
    expect(most).toBe(2)
    const [{ email: refusedBefore }] = early as [(typeof early)[number]]
    for (let i = 0; i < 5; i++) expect((await own.logIn(refusedBefore, 'wrong')).status).toBe(401)
    expect((await own.logIn(refusedBefore, 'wrong')).status).toBe(429)
    await own.close()
  })
})
