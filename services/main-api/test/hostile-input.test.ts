import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bank, institution, registered } from './bodies'
import { openService, type TestMainApi } from './harness'

let service: TestMainApi
let id: string
let own: Record<string, string>
beforeAll(async () => {
  service = await openService()
  id = (await registered(service)).id
  own = await service.asParticipant(id)
})
afterAll(() => service.close())

/** Any JSON value, and texts that have broken something somewhere. */
const hostile = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('__proto__', 'constructor', '\u0000', '\u2028', '%', "'; --", '9'.repeat(400), '-0', '1e309', ' '),
)

const account = { accountNumber: '1', routingNumber: '021000021', accountType: 'A', currency: 'USD' }
const routes: [string, string, object][] = [
  ['POST', '/participants', institution()],
  ['PUT', '/participants/detail', institution()],
  ['POST', '/participants/api-key', { expirationDate: 1, previousValidHours: 1 }],
  ['POST', '/participants/:id/accounts', { ...account, custodianBankId: 'x' }],
  ['PUT', '/admin/pfi/:id/status', { status: 'UNDER_REVIEW', comments: 'x' }],
  ['POST', '/admin/custodian-bank', bank({ services: [], status: 'ACTIVE' })],
  ['POST', '/admin/additional-information', { participantId: 'x', key: 'k', value: 'v' }],
]

test.each(routes)('%s %s answers any fields without a 500', async (method, path, body) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(body)), hostile, async (field, value) => {
      const { status } = await service.ask(method, path.replace(':id', id), { ...body, [field]: value }, own)
      expect([200, 201, 400, 404, 409]).toContain(status)
    }),
    { numRuns: 80 },
  )
})

test.each(['/admin/pfi', '/admin/custodian-bank', '/admin/additional-information', '/participants/counter-parties'])(
  'GET %s answers any query with 200 or 400',
  async (path) => {
    const keys = ['limit', 'offset', 'search', 'status', 'participantId']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), fc.string({ unit: 'binary', maxLength: 300 }), async (key, value) => {
        const query = new URLSearchParams({ [key]: value.toWellFormed() })
        const { status } = await service.get(`${path}?${query}`, own)
        expect([200, 400]).toContain(status)
      }),
      { numRuns: 80 },
    )
  },
)
