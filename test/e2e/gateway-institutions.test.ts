// An institution that is paused, and then offboarded, at the main API: what the real services make of it, through the
// gateway, also after restarts.
import { afterAll, beforeAll, expect } from 'bun:test'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { institutionAt } from './gateway-role-objects'

let platform: TestPlatform
let id: string
let key: Record<string, string>
let omnibus: unknown
beforeAll(async () => {
  platform = await testPlatform(['gateway', 'identity-manager', 'main-api', 'participant', 'message', 'account'], {
    AUTHORIZATION: 'documented',
    RATE_LIMIT_PER_SECOND: '100000',
    RATE_LIMIT_LOGIN: '1000',
  })
  const bank = { name: 'Keeping', country: 'US', services: ['SETTLEMENT'] }
  const custodian = await platform.to('main-api').create<{ id: string }>('/admin/custodian-bank', bank)
  const made = await institutionAt(platform, custodian.id, 'Harbour')
  id = made.id
  key = { 'x-api-key': made.key }
})
afterAll(() => platform?.close())

const through = () => platform.to('gateway', '')
const account = (type: string) => through().get(`/account/v1/accounts/${type}`, key)
const moveTo = async (status: string) => {
  const { body } = await platform.to('main-api').put(`/admin/pfi/${id}/status`, { status, comments: 'Because' })
  expect(body.status).toBe(status)
}
const statuses = async (): Promise<string> => {
  const read = await through().get('/message/v1/messages', key)
  const message = { type: 'TEXT', participantId: id, data: { text: 'Good day' } }
  return `${read.status} ${(await through().post('/message/v1/messages', message, key)).status}`
}
const becomes = (expected: string) => until(async () => (await statuses()) === expected, { what: expected })

inOrder('an institution', (step) => {
  step('that is approved reads and writes', async () => {
    await becomes('200 201')
    const { status, body } = await account('omnibus')
    expect(status).toBe(200)
    omnibus = body
  })
  step('that is paused reads, and writes nothing', async () => {
    await moveTo('PAUSED')
    await becomes('200 403')
  })
  step('that is paused creates nothing by reading, and reads what it has', async () => {
    expect((await account('omnibus')).body).toEqual(omnibus)
    const refused = await account('fee-payer')
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSTITUTION_PAUSED'])
    const { body } = await platform.to('account').get('/accounts')
    expect(body.map((each: { type: string }) => each.type)).toEqual(['OMNIBUS'])
  })
  step('goes on', async () => {
    await moveTo('APPROVED')
    await becomes('200 201')
    expect((await account('fee-payer')).status).toBe(200)
  })
  step('that is offboarded has no key any more', async () => {
    await moveTo('OFFBOARDED')
    await becomes('401 401')
  })
  step('nor has it one after restarts', async () => {
    for (const name of ['gateway', 'identity-manager', 'main-api'] as const) {
      await platform.stop(name)
      await platform.start(name)
    }
    await until(async () => !(await statuses()).includes('503'), { what: 'an answer' })
    expect(await statuses()).toBe('401 401')
  })
})
