// Tables that are keyed by what callers send know nothing that every object inherits.
import { expect, test } from 'bun:test'
import { brokenByInheritedNames } from '@bursar/testing/service'
import { testQuote } from './harness'

test('names that objects inherit are words like any other, in every parameter and field', async () => {
  const service = await testQuote()
  const caller = await service.asParticipant('018f2f3e-0000-7000-8000-0000000000aa')
  expect(await brokenByInheritedNames(service, caller)).toEqual([])
  await service.close()
}, 120_000)
