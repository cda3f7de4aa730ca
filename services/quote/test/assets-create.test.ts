import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nobody, refused, type TestQuote, testQuote } from './harness'

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let quote: TestQuote
beforeAll(async () => {
  quote = await testQuote()
})
afterAll(() => quote.close())

let codes = 0
const nextCode = () => `C${++codes}`
const asset = (fields: object = {}) => quote.create('/assets', { name: 'Some asset', code: nextCode(), ...fields })
const category = (name: string) => quote.create('/categories', { name })

describe('POST /assets', () => {
  test('201 with the asset', async () => {
    const { id: categoryId } = await category('Coins')
    const fields = { name: 'Bitcoin', code: 'BTC', categoryId, description: 'The first', staticValue: 64000.5 }
    const { status, body } = await quote.post('/assets', fields)
    expect(status).toBe(201)
    expect(body).toEqual({ ...fields, id: body.id, createdAt: body.createdAt, updatedAt: body.createdAt })
    expect(body.id).toMatch(uuidV7)
    expect(body.createdAt).toMatch(isoTime)
  })

  test('201 with null where an optional field is left out or null', async () => {
    const nothing = { categoryId: null, description: null, staticValue: null }
    expect(await asset()).toMatchObject(nothing)
    expect(await asset(nothing)).toMatchObject(nothing)
  })

  test('201 and unknown fields are dropped', async () => {
    const fields = { id: nobody, deletedAt: 1, createdAt: '2000-01-01T00:00:00.000Z', other: {} }
    const body = await asset(fields)
    expect(body.id).not.toBe(nobody)
    expect(body.createdAt).not.toBe(fields.createdAt)
    expect(Object.keys(body)).not.toContain('other')
    expect((await quote.get(`/assets/${body.id}`)).status).toBe(200)
  })

  test('400 names every missing field', async () => {
    const expected = ['name should not be empty', 'code should not be empty']
    expect(refused(await quote.post('/assets', {}), 400)).toEqual(expected)
    expect(refused(await quote.post('/assets'), 400)).toEqual(expected)
    expect(refused(await quote.post('/assets', { name: '', code: '' }), 400)).toEqual(expected)
  })

  test('400 names every field of a wrong type', async () => {
    const wrong = { name: 1, code: {}, categoryId: 'x', description: 3, staticValue: '1' }
    expect(refused(await quote.post('/assets', wrong), 400)).toEqual([
      'name must be a string',
      'code must be a string',
      'categoryId must be a UUID or null',
      'description must be a string or null',
      'staticValue must be a number or null',
    ])
  })

  test.each([
    ['a blank name', { name: '  ', code: 'X' }, ['name should not be blank']],
    ['a code that is too long', { name: 'X', code: 'X'.repeat(256) }, ['code must be at most 255 characters long']],
    ['null for a name', { name: null, code: 'X' }, ['name must be a string']],
    ['a list', [], ['body must be an object']],
  ])('400 for %s', async (_what, body, messages) => {
    expect(refused(await quote.post('/assets', body), 400)).toEqual(messages)
  })

  test('400 for a body that is not JSON, 400 for another content type', async () => {
    expect(refused(await quote.post('/assets', '{"name":'), 400)).toBe('The body is not valid JSON')
    const typed = await quote.post('/assets', '{}', { 'content-type': 'text/plain' })
    expect(refused(typed, 400)).toBe('Content-Type must be application/json')
    expect(refused(await quote.post('/assets', '{"name":"X","code":"X","staticValue":1e999}'), 400)).toEqual([
      'staticValue must be a number or null',
    ])
  })

  test('413 for a body over 1 MiB', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024), code: 'X' })
    const answer = await quote.post('/assets', body, { 'content-length': String(body.length) })
    expect(refused(answer, 413)).toBe('The body is larger than 1 MiB')
  })

  test('400 for a code that is taken, case-insensitively', async () => {
    await asset({ code: 'Taken' })
    const answer = await quote.post('/assets', { name: 'Another', code: 'tAKEN' })
    expect(refused(answer, 400)).toBe('An asset with code tAKEN already exists')
  })

  test('of many at once with the same code one is created', async () => {
    const code = nextCode()
    const answers = await Promise.all(Array.from({ length: 20 }, () => quote.post('/assets', { name: 'Race', code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)])
  })

  test('404 for a category that is missing or deleted', async () => {
    const { id } = await category('Soon gone')
    await quote.del(`/categories/${id}`)
    for (const categoryId of [nobody, id]) {
      const answer = await quote.post('/assets', { name: 'X', code: nextCode(), categoryId })
      expect(refused(answer, 404)).toBe('Category not found')
    }
  })

  test.each([0, -1, -0.5])('422 for a staticValue of %d', async (staticValue) => {
    const answer = await quote.post('/assets', { name: 'X', code: nextCode(), staticValue })
    expect(refused(answer, 422)).toBe('staticValue must be greater than 0')
  })

  test('an idempotency key: replayed, 422 with another body, usable again after a refusal', async () => {
    const body = { name: 'Once', code: nextCode() }
    const key = { 'idempotency-key': 'k-1' }
    const first = await quote.post('/assets', body, key)
    const again = await quote.post('/assets', body, { 'x-idempotency-key': 'k-1' })
    expect(again).toMatchObject({ status: 201, body: first.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    refused(await quote.post('/assets', { ...body, name: 'Other' }, key), 422)
    const taken = { 'idempotency-key': 'k-2' }
    refused(await quote.post('/assets', body, taken), 400)
    expect((await quote.post('/assets', { ...body, code: nextCode() }, taken)).status).toBe(201)
  })
})
