import { expect, test } from 'bun:test'
import { ownRules } from './openapi-rules'

/** A document that is as it should be; each test changes a copy of it. */
const sound = () => ({
  tags: [{ name: 'Bolts', description: 'What holds it together' } as { name: string; description?: string }],
  paths: {
    '/bolts/{id}': {
      put: {
        operationId: 'changeBolt' as string | undefined,
        parameters: [{ name: 'id', in: 'path', description: 'Its id', example: 'b-1' }] as Record<string, unknown>[],
        requestBody: { content: { 'application/json': { schema: ref('Bolt'), example: { size: 1 } as unknown } } },
        responses: {
          200: { content: { 'application/json': { schema: { type: 'array', items: ref('Bolt') } as object } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Bolt: {
        properties: {
          size: { type: 'number', description: 'In millimetres' } as Record<string, unknown>,
          maker: ref('Maker') as Record<string, unknown>,
        },
      },
      Maker: { description: 'Who made it', properties: {} },
    } as Record<string, { description?: string; properties: Record<string, Record<string, unknown>> }>,
  },
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
type Sound = ReturnType<typeof sound>

const put = (document: Sound) => document.paths['/bolts/{id}'].put
const unnamed = { type: 'object', properties: { size: { type: 'number', description: 'In millimetres' } } }

test('a document that is as it should be passes', () => {
  expect(ownRules(sound())).toEqual([])
})

const faults: [what: string, make: (document: Sound) => void, complaint: string][] = [
  [
    'a property without description',
    ({ components }) => delete components.schemas.Bolt?.properties.size?.description,
    'Bolt.size: it has no description',
  ],
  [
    'a reference to what has none',
    ({ components }) => delete components.schemas.Maker?.description,
    'Bolt.maker: it has no description',
  ],
  [
    'an object in a property',
    ({ components }) =>
      Object.assign(components.schemas.Bolt?.properties ?? {}, { maker: { ...unnamed, description: 'x' } }),
    'Bolt.maker: an object without a title',
  ],
  [
    'an object in an answer',
    (document) => {
      put(document).responses[200].content['application/json'].schema = { type: 'array', items: unnamed }
    },
    'put /bolts/{id} 200: an object without a title',
  ],
  [
    'an object that may be null',
    (document) => {
      put(document).responses[200].content['application/json'].schema = { anyOf: [unnamed, { type: 'null' }] }
    },
    'put /bolts/{id} 200: an object without a title',
  ],
  [
    'two schemas of a name',
    ({ components }) => {
      components.schemas.Maker2 = { description: 'x', properties: {} }
    },
    'Maker2: two schemas have this name',
  ],
  [
    'a parameter without description',
    (document) => {
      delete put(document).parameters[0]?.description
    },
    'put /bolts/{id}: parameter id has no description',
  ],
  [
    'a path without example',
    (document) => {
      delete put(document).parameters[0]?.example
    },
    'put /bolts/{id}: parameter id has no example',
  ],
  [
    'a body without example',
    (document) => {
      put(document).requestBody.content['application/json'].example = undefined
    },
    'put /bolts/{id}: its body has no example',
  ],
  [
    'an operation without id',
    (document) => {
      put(document).operationId = undefined
    },
    'put /bolts/{id}: it has no operationId of a verb and a noun',
  ],
  [
    'an id of one word',
    (document) => {
      put(document).operationId = 'change'
    },
    'put /bolts/{id}: it has no operationId of a verb and a noun',
  ],
  [
    'a tag without description',
    ({ tags }) => {
      delete tags[0]?.description
    },
    'tag Bolts: it has no description',
  ],
]

test.each(faults)('%s is found', (_, make, complaint) => {
  const document = sound()
  make(document)
  expect(ownRules(document)).toEqual([complaint])
})
