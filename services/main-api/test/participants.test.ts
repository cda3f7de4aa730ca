import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { approved, institution, moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

let service: TestMainApi
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const noParticipant = {
  code: 'UNAUTHORIZED',
  message: 'No participant is found in the request: send its API key in X-API-KEY',
}

describe('POST /participants', () => {
  test('201 with the institution, NOT_STARTED', async () => {
    const body = institution({ country: 'usa', address: { street: 'A 1', city: 'B', country: 'ch' } })
    const { status, body: made } = await service.post('/participants', body)
    expect(status).toBe(201)
    expect(made).toEqual({
      ...body,
      id: made.id,
      country: 'US',
      address: { street: 'A 1', city: 'B', country: 'CH' },
      status: 'NOT_STARTED',
      approvedAt: null,
      createdAt: made.createdAt,
      updatedAt: made.createdAt,
    })
    expect((await service.get(`/admin/pfi/${made.id}`)).body).toMatchObject(made)
  })

  test('answers at both paths, and drops unknown fields', async () => {
    const request = new Request('http://localhost/participants', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(institution({ status: 'APPROVED', approvedAt: '2020-01-01', junk: 1 })),
    })
    const answer = await service.fetch(request)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ status: 'NOT_STARTED', approvedAt: null })
  })

  test('400 naming each field that is missing', async () => {
    expect(refused(await service.post('/participants', {}), 400).message).toBe(
      'name should not be empty; email should not be empty; country should not be empty; ' +
        'businessType should not be empty; registrationNumber should not be empty; address must be an object',
    )
  })

  test.each([
    [{ name: ' ' }, 'name should not be blank'],
    [{ name: 'a\u0000b' }, 'name must not hold control characters'],
    [{ name: 'x'.repeat(256) }, 'name must be at most 255 characters long'],
    [{ name: 7 }, 'name must be a string'],
    [{ email: 'nobody' }, 'email must be an e-mail address'],
    [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email must be an e-mail address'],
    [{ email: `${'x'.repeat(250)}@b.example` }, 'email must be at most 254 characters long'],
    [{ country: 'XX' }, 'country must be an ISO 3166-1 country code, such as US'],
    [{ country: 'United States' }, 'country must be at most 3 characters long'],
    [{ country: '840' }, 'country must be an ISO 3166-1 country code, such as US'],
    [{ address: [] }, 'address must be an object'],
    [{ address: { street: 'A', city: 'B', country: 'ZZ' } }, 'address.country must be an ISO 3166-1 country code'],
    [{ address: { city: 'B', country: 'US' } }, 'address.street should not be empty'],
  ])('400 for %j', async (fields, message) => {
    expect(refused(await service.post('/participants', institution(fields)), 400).message).toContain(message)
  })

  test('is made once for one Idempotency-Key', async () => {
    const body = institution()
    const headers = { 'idempotency-key': 'registration-1' }
    const [first, second] = [
      await service.post('/participants', body, headers),
      await service.post('/participants', body, headers),
    ]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect((await service.get(`/admin/pfi?search=${encodeURIComponent(body.name)}`)).body.pageInfo.total).toBe(1)
    expect(refused(await service.post('/participants', institution(), headers), 422).code).toBe('UNPROCESSABLE')
  })
})

describe('GET /participants/detail', () => {
  test('200 with the caller’s own participant', async () => {
    const made = await registered(service)
    const { status, body } = await service.get('/participants/detail', await service.asParticipant(made.id))
    expect([status, body]).toEqual([200, made])
  })

  test('401 without a participant, 404 for one that has not registered', async () => {
    expect(refused(await service.get('/participants/detail'), 401)).toEqual(noParticipant)
    const administrator = await service.as({ roles: ['admin'] })
    expect(refused(await service.get('/participants/detail', administrator), 401)).toEqual(noParticipant)
    const unknown = await service.asParticipant(nobody)
    expect(refused(await service.get('/participants/detail', unknown), 404).message).toBe('Participant not found')
  })
})

describe('PUT /participants/detail', () => {
  test('200: the given fields alone change', async () => {
    const made = await registered(service)
    const headers = await service.asParticipant(made.id)
    const { status, body } = await service.put(
      '/participants/detail',
      { name: 'Lakeside Bank', country: 'CH' },
      headers,
    )
    expect([status, body]).toEqual([200, { ...made, name: 'Lakeside Bank', country: 'CH', updatedAt: body.updatedAt }])
    expect((await service.get('/participants/detail', headers)).body).toEqual(body)
  })

  test('neither status nor id can be changed; an empty body changes nothing', async () => {
    const made = await registered(service)
    const headers = await service.asParticipant(made.id)
    const { body } = await service.put('/participants/detail', { id: nobody, status: 'APPROVED' }, headers)
    expect(body).toEqual(made)
    const events = (await service.events()).filter(({ data }) => (data as { id: string }).id === made.id)
    expect(events).toHaveLength(1)
  })

  test('400 for a bad field, 401 without a participant, 404 for an unknown id, 409 for an offboarded one', async () => {
    const made = await registered(service)
    const headers = await service.asParticipant(made.id)
    const put = (body: object, by: Record<string, string>) => service.put('/participants/detail', body, by)
    expect(refused(await put({ email: 'x' }, headers), 400).message).toBe('email must be an e-mail address')
    expect(refused(await put({ name: 'A' }, {}), 401)).toEqual(noParticipant)
    expect(refused(await put({ name: 'A' }, await service.asParticipant(nobody)), 404).code).toBe('NOT_FOUND')
    await moved(service, made.id, 'OFFBOARDED')
    expect(refused(await put({ name: 'A' }, headers), 409).message).toBe('An offboarded participant cannot be changed')
  })
})

describe('GET /participants/counter-parties', () => {
  test('200 with the other approved participants, by name', async () => {
    const own = await openService()
    const [b, a] = [await approved(own, { name: 'beta' }), await approved(own, { name: 'Älpha Bank', country: 'CH' })]
    const caller = await approved(own, { name: 'Caller' })
    await registered(own, { name: 'Not yet' })
    const paused = await approved(own, { name: 'Paused' })
    await moved(own, paused.id, 'PAUSED')
    const headers = await own.asParticipant(caller.id)
    const search = async (text: string) =>
      (await own.get(`/participants/counter-parties?search=${encodeURIComponent(text)}`, headers)).body.data
    const parties = [
      { id: b.id, name: 'beta', country: 'US', status: 'APPROVED' },
      { id: a.id, name: 'Älpha Bank', country: 'CH', status: 'APPROVED' },
    ] as const
    expect((await own.get('/participants/counter-parties', headers)).body).toEqual({ data: [...parties] })
    expect(await search('')).toEqual([...parties])
    expect(await search('älPHA')).toEqual([parties[1]])
    expect(await search('%')).toEqual([])
    expect(refused(await own.get('/participants/counter-parties'), 401)).toEqual(noParticipant)
    await own.close()
  })
})

describe('GET /admin/pfi', () => {
  test('200 with a page, oldest first, by name and status', async () => {
    const own = await openService()
    const all = []
    for (let i = 0; i < 25; i++) all.push(await registered(own, { name: i % 2 === 0 ? `Even ${i}` : `odd_${i}` }))
    for (const { id } of all.slice(0, 3)) await moved(own, id, 'APPROVED')
    const list = async (query = '') => (await own.get(`/admin/pfi${query}`)).body
    const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
    const first = await list()
    expect([idsOf(first), first.pageInfo]).toEqual([
      all.slice(0, 20).map(({ id }) => id),
      { limit: 20, offset: 0, total: 25 },
    ])
    expect(idsOf(await list('?limit=10&offset=20'))).toEqual(all.slice(20).map(({ id }) => id))
    expect(await list('?limit=0')).toEqual({ data: [], pageInfo: { limit: 0, offset: 0, total: 25 } })
    expect((await list('?search=eVen')).pageInfo.total).toBe(13)
    expect((await list('?search=d_1')).pageInfo.total).toBe(6)
    expect(idsOf(await list('?search=even&status=APPROVED'))).toEqual([all[0]?.id as string, all[2]?.id as string])
    expect((await list('?status=PAUSED')).data).toEqual([])
    expect((await list('?search=')).pageInfo.total).toBe(25)
    await own.close()
  })

  test.each(['limit=101', 'limit=-1', 'limit=x', 'offset=-1', 'offset=100001', 'status=approved', 'status='])(
    '400 for %s',
    async (query) => {
      expect(refused(await service.get(`/admin/pfi?${query}`), 400).code).toBe('INVALID_REQUEST')
    },
  )

  test('404 for an unknown id, 400 for an id that is not a UUID', async () => {
    expect(refused(await service.get(`/admin/pfi/${nobody}`), 404).message).toBe('Participant not found')
    expect(refused(await service.get('/admin/pfi/x'), 400).message).toBe(uuidExpected)
  })
})

describe('for other services', () => {
  test('PfiChanged with each change of name, country or status; the changes and the state agree', async () => {
    const own = await openService()
    const { id } = await registered(own, { name: 'First' })
    const other = await registered(own)
    const participant = await own.asParticipant(id)
    await own.put('/participants/detail', { name: 'Second' }, participant)
    await moved(own, id, 'APPROVED')
    const headers = await own.asService('transaction-manager')
    const events = (await own.events()).filter(({ data }) => (data as { id: string }).id === id)
    expect(events.map(({ name, data }) => ({ name, ...(data as object) }))).toMatchObject([
      { id, name: 'First', status: 'NOT_STARTED' },
      { status: 'NOT_STARTED' },
      { status: 'APPROVED', country: 'US' },
    ])
    const last = events.at(-1)?.data as { name: string; epoch: number; version: number }
    expect(last.name).toBe('Second')
    expect((await own.get(`/internal/pfi/${id}`, headers)).body).toEqual(last)
    const { epoch, items, more } = (await own.get('/internal/pfi/changes?after=0', headers)).body
    expect(items.map(({ record }: { record: { id: string } }) => record.id)).toEqual([other.id, id])
    expect({ ...items[1].record, version: items[1].version, epoch }).toEqual(last)
    expect(more).toBe(false)
    await own.close()
  })

  test('401 for other callers than services, 404 for an unknown id', async () => {
    for (const path of [
      '/internal/pfi/changes',
      `/internal/pfi/${nobody}`,
      `/internal/participants/${nobody}/key-state`,
    ]) {
      expect(refused(await service.get(path), 401).code).toBe('UNAUTHORIZED')
      expect(refused(await service.get(path, await service.as({ roles: ['admin'] })), 401).code).toBe('UNAUTHORIZED')
    }
    const headers = await service.asService('transaction-manager')
    expect(refused(await service.get(`/internal/pfi/${nobody}`, headers), 404).code).toBe('NOT_FOUND')
  })
})
