import { expect, test } from 'bun:test'
import { about, jsonObject, nullable, oneOf, optional, t, timestamp, uuid } from '@bursar/contracts/schema'
import { pageQuery, queryTime } from '../routes/query'
import { collectSchemas } from './openapi-schema'

const written = (schema: unknown) => collectSchemas().add(schema)

test('what may be null says so in its type', () => {
  expect(written(nullable(uuid()))).toEqual({ type: ['string', 'null'], format: 'uuid' })
  expect(written(nullable(oneOf(['a', 'b'])))).toEqual({
    anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
  })
})

test('a field that takes null as absent says so too', () => {
  expect(written(t.Object({ id: optional(about('Its id', uuid())) }))).toEqual({
    type: 'object',
    properties: { id: { type: ['string', 'null'], format: 'uuid', description: 'Its id' } },
  })
})

test('a union of words is an enum, another union stays one', () => {
  expect(written(t.Union([t.Literal('a'), t.Literal('b')], { default: 'a' }))).toEqual({
    type: 'string',
    enum: ['a', 'b'],
    default: 'a',
  })
  expect(written(t.Union([t.String(), t.Number()]))).toEqual({ anyOf: [{ type: 'string' }, { type: 'number' }] })
})

test('records and tuples are written as JSON Schema 2020-12 has them', () => {
  expect(written(t.Record(t.String(), nullable(t.Number())))).toEqual({
    type: 'object',
    additionalProperties: { type: ['number', 'null'] },
  })
  expect(written(t.Tuple([t.String(), t.Integer()]))).toMatchObject({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer' }],
    items: {},
    maxItems: 2,
  })
})

test('query values are documented as what they stand for', () => {
  const { limit, sortOrder } = pageQuery({ sortBy: ['name'], defaultSort: 'name', defaultOrder: 'asc' })
  expect(written(limit)).toEqual({ type: 'integer', minimum: 0, maximum: 100, default: 10 })
  expect(written(sortOrder)).toEqual({ type: 'string', enum: ['asc', 'desc'], default: 'asc' })
  expect(written(queryTime())).toEqual({ type: 'string', format: 'date-time' })
})

test('fields may be called like keywords, and values are left as they are', () => {
  const schema = t.Object({ title: timestamp(), anyOf: t.String({ default: { anyOf: [] } }) })
  expect(written(schema)).toEqual({
    type: 'object',
    required: ['title', 'anyOf'],
    properties: {
      title: { type: 'string', format: 'date-time' },
      anyOf: { type: 'string', default: { anyOf: [] } },
    },
  })
})

test('the wrapping of production is taken off, wherever it is', () => {
  expect(written({ 'x-answer': t.Array(uuid()) })).toEqual(written(t.Array(uuid())))
  expect(written(t.Object({ a: t.Unsafe({ 'x-answer': uuid() }) }))).toEqual(written(t.Object({ a: uuid() })))
})

test('a schema with a title is written once; another one of that title gets a number', () => {
  const schemas = collectSchemas()
  const Owner = t.Object({ id: uuid() }, { title: 'Owner' })
  const Asset = t.Object({ owner: nullable(Owner) }, { title: 'Asset' })
  expect(schemas.add(Asset)).toEqual({ $ref: '#/components/schemas/Asset' })
  expect(schemas.add(t.Array(Asset))).toEqual({ type: 'array', items: { $ref: '#/components/schemas/Asset' } })
  expect(schemas.add(t.Partial(Asset))).toEqual({ $ref: '#/components/schemas/Asset2' })
  expect(schemas.add(t.Partial(Asset))).toEqual({ $ref: '#/components/schemas/Asset2' })
  expect(Object.keys(schemas.named)).toEqual(['Owner', 'Asset', 'Asset2'])
  expect(schemas.named.Asset).toEqual({
    type: 'object',
    required: ['owner'],
    properties: { owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] } },
  })
})

test('a property without description takes that of its name, also beside a reference', () => {
  const schemas = collectSchemas({ id: 'The id', owner: 'Whose it is' })
  const Owner = t.Object({ id: uuid(), owner: about('The one above', uuid()) }, { title: 'Owner' })
  expect(schemas.add(t.Object({ owner: Owner, toString: t.String() }))).toMatchObject({
    properties: {
      owner: { $ref: '#/components/schemas/Owner', description: 'Whose it is' },
      toString: { type: 'string' },
    },
  })
  expect(schemas.named.Owner).toMatchObject({
    properties: { id: { description: 'The id' }, owner: { description: 'The one above' } },
  })
  expect([schemas.meaningOf('id'), schemas.meaningOf('constructor')]).toEqual(['The id', undefined])
})

test('an object of any fields is an object, and what a pattern wants is for its error alone', () => {
  expect(written(about('What it is', jsonObject()))).toEqual({
    type: 'object',
    additionalProperties: true,
    description: 'What it is',
  })
  expect(written(t.String({ pattern: '\\S', patternProblem: 'should not be blank' }))).toEqual({
    type: 'string',
    pattern: '\\S',
  })
})
