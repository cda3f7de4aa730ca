// How a payment institution comes to be a participant: main API, identity manager and participant service as they run.
import { afterAll, beforeAll, expect } from 'bun:test'
import { inOrder, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['main-api', 'participant', 'identity-manager'])
})
afterAll(() => platform.close())

const institution = {
  name: 'Lakeside Payments',
  email: 'treasury@lakeside.example',
  country: 'US',
  businessType: 'BANK',
  registrationNumber: '84-2113907',
  address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' },
}

const detailOf = async (id: string) => (await platform.to('main-api').get(`/admin/pfi/${id}`)).body
const participantOf = async (id: string) => await platform.to('participant').get(`/participants/${id}`)
const users = async () => (await platform.to('main-api').get('/admin/users?limit=100')).body.data
const move = async (id: string, status: string) =>
  await platform.to('main-api').put(`/admin/pfi/${id}/status`, { status, comments: 'Reviewed' })

inOrder('an institution', (step) => {
  let id = ''
  let keyOfNobody = ''

  step('registers while the identity manager is away, and is invited once it is back', async () => {
    await platform.stop('identity-manager')
    id = (await platform.to('main-api').create('/participants', institution)).id
    await until(async () => (await detailOf(id)).invitation.problem, { what: 'the first attempt' })
    expect((await detailOf(id)).invitation.status).toBe('PENDING')
    await platform.start('identity-manager')
    await until(async () => (await detailOf(id)).invitation.status === 'DONE', {
      what: 'the invitation',
    })
    const [user, ...others] = (await users()).filter(
      ({ participantId }: { participantId: string }) => participantId === id,
    )
    expect(others).toEqual([])
    expect(user).toMatchObject({ email: institution.email, status: 'INVITED', roles: ['participant-admin'] })
  })

  step('with an address that is taken stays registered, and says why nobody was invited', async () => {
    const second = (await platform.to('main-api').create('/participants', { ...institution, name: 'Second' })).id
    await until(async () => (await detailOf(second)).invitation.status === 'FAILED', { what: 'the refusal' })
    expect((await detailOf(second)).invitation.problem).not.toBe('')
  })

  step('is approved while the participant service is away, and is a participant once it is back', async () => {
    await platform.stop('participant')
    expect((await move(id, 'APPROVED')).body.status).toBe('APPROVED')
    await until(async () => (await detailOf(id)).admission.problem, { what: 'the first attempt' })
    await platform.stop('main-api')
    await platform.start('participant')
    expect((await participantOf(id)).status).toBe(404)
    await platform.start('main-api')
    await until(async () => (await participantOf(id)).status === 200, { what: 'the participant' })
    const { body } = await participantOf(id)
    expect(body.institutionName).toBe(institution.name)
    keyOfNobody = body.authConsumerId
    expect(keyOfNobody).toMatch(/^sk_test_[0-9A-Za-z]{43}$/)
  })

  step('adopts a new name at the participant service, by its key', async () => {
    const changed = { name: 'Lakeside Bank' }
    const answer = await platform.to('main-api').put('/participants/detail', changed, { 'x-api-key': keyOfNobody })
    expect(answer.status).toBe(200)
    await until(async () => (await participantOf(id)).body.institutionName === 'Lakeside Bank', {
      what: 'the new name',
    })
  })

  step('has a key of its own at both, and the one before for a day more', async () => {
    const known = (await participantOf(id)).body.authConsumerId
    const headers = { 'x-api-key': known }
    const { data } = await platform.to('main-api').create('/participants/api-key', { expirationDate: 365 }, headers)
    await until(async () => (await participantOf(id)).body.authConsumerId === data.apiKey, { what: 'the key' })
    const detail = (key: string) => platform.to('main-api').get('/participants/detail', { 'x-api-key': key })
    expect((await detail(data.apiKey)).body.id).toBe(id)
    expect((await detail(known)).body.id).toBe(id)
  })

  step('that is offboarded has no key any more, nor the one before', async () => {
    const { authConsumerId } = (await participantOf(id)).body
    await move(id, 'OFFBOARDED')
    await until(async () => (await participantOf(id)).body.authConsumerId !== authConsumerId, { what: 'the key’s end' })
    for (const key of [authConsumerId, keyOfNobody]) {
      const answer = await platform.to('main-api').get('/participants/detail', { 'x-api-key': key })
      expect(answer.body.error.code).toBe('INVALID_API_KEY')
    }
  })
})
