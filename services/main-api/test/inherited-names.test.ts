// Look-ups by what callers send must not find inherited properties, such as `constructor`.
import { expect, test } from 'bun:test'
import { brokenByInheritedNames } from '@bursar/testing/service'
import { openService } from './harness'

test('names of inherited properties are input like any other, in every parameter and field', async () => {
  const service = await openService()
  const caller = await service.asParticipant('018f2f3e-0000-7000-8000-0000000000aa')
  expect(await brokenByInheritedNames(service, caller)).toEqual([])
  await service.close()
})
