type Json = Record<string, unknown>

/** A place in a document and what is wrong there. */
type Complaint = string

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): [string, Json][] =>
  isJson(value) ? Object.entries(value).filter((entry): entry is [string, Json] => isJson(entry[1])) : []

interface Place {
  document: Json
  name: string
  operation: Json
}

/**
 * Violations of our own rules, beyond those of the linters: every property and parameter has a description, every
 * object of an answer a name, every body an example, every operation a unique id.
 */
export function ownRules(document: Json): Complaint[] {
  const operations = objectsIn(document.paths).flatMap(([path, methods]) =>
    objectsIn(methods).map(([method, operation]) => ({ document, name: `${method} ${path}`, operation })),
  )
  const { schemas } = (document.components ?? {}) as Json
  return [
    ...objectsIn(schemas).flatMap(([name, schema]) => undescribed(document, schema, name)),
    ...objectsIn(schemas).flatMap(([name]) => (/\d$/.test(name) ? [`${name}: two schemas have this name`] : [])),
    ...objectsIn(schemas).flatMap(([name, schema]) => inlineParts(schema, name)),
    ...((document.tags ?? []) as Json[]).flatMap(({ name, description }) =>
      description ? [] : [`tag ${name}: it has no description`],
    ),
    ...operations.flatMap((place) => [...ofParameters(place), ...ofAnswers(place), ...ofBody(place), ...ofId(place)]),
  ]
}

/** The ids of a document's operations. */
export const operationIdsOf = (document: Json): string[] =>
  objectsIn(document.paths).flatMap(([, methods]) =>
    objectsIn(methods).map(([, operation]) => String(operation.operationId)),
  )

/** The parts of a schema that are schemas themselves, properties left out. */
const partsOf = (schema: Json): Json[] =>
  [
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) => (schema[key] ?? []) as unknown[]),
    ...['items', 'additionalProperties'].map((key) => schema[key]),
  ].filter(isJson)

function undescribed(document: Json, schema: Json, place: string): Complaint[] {
  return [
    ...partsOf(schema).flatMap((part) => undescribed(document, part, place)),
    ...objectsIn(schema.properties).flatMap(([field, property]) => [
      ...((property.description ?? resolved(document, property).description)
        ? []
        : [`${place}.${field}: it has no description`]),
      ...undescribed(document, property, `${place}.${field}`),
    ]),
  ]
}

const resolved = (document: Json, { $ref, ...rest }: Json): Json => {
  if (typeof $ref !== 'string') return rest
  const keys = $ref.split('/').slice(1)
  return keys.reduce<Json>((part, key) => (part[key] ?? {}) as Json, document)
}

/** Objects without a name, at any depth of a schema; objects with free fields need none. */
const inlineObjects = (schema: Json, place: string): Complaint[] => [
  ...(isJson(schema.properties) ? [`${place}: an object without a title`] : []),
  ...inlineParts(schema, place),
]

const inlineParts = (schema: Json, place: string): Complaint[] => [
  ...partsOf(schema).flatMap((part) => inlineObjects(part, place)),
  ...objectsIn(schema.properties).flatMap(([field, property]) => inlineObjects(property, `${place}.${field}`)),
]

function ofParameters({ document, name, operation }: Place): Complaint[] {
  const parameters = ((operation.parameters ?? []) as Json[]).map((parameter) => resolved(document, parameter))
  return parameters.flatMap((parameter) => [
    ...(parameter.description ? [] : [`${name}: parameter ${parameter.name} has no description`]),
    ...(operation.requestBody && parameter.in === 'path' && parameter.example === undefined
      ? [`${name}: parameter ${parameter.name} has no example`]
      : []),
  ])
}

function ofAnswers({ document, name, operation }: Place): Complaint[] {
  return objectsIn(operation.responses).flatMap(([status, response]) =>
    objectsIn(resolved(document, response).content).flatMap(([, media]) => [
      ...inlineObjects((media.schema ?? {}) as Json, `${name} ${status}`),
      ...undescribed(document, (media.schema ?? {}) as Json, `${name} ${status}`),
    ]),
  )
}

function ofBody({ document, name, operation }: Place): Complaint[] {
  const { content } = (operation.requestBody ?? {}) as Json
  return objectsIn(content).flatMap(([, media]) => [
    ...(media.example === undefined && media.examples === undefined ? [`${name}: its body has no example`] : []),
    ...inlineObjects((media.schema ?? {}) as Json, `${name} body`),
    ...undescribed(document, (media.schema ?? {}) as Json, `${name} body`),
  ])
}

/** A verb and its object: `listTransactions`. */
const ofId = ({ name, operation }: Place): Complaint[] =>
  /^[a-z]+[A-Z][A-Za-z0-9]+$/.test(String(operation.operationId ?? ''))
    ? []
    : [`${name}: it has no operationId of a verb and a noun`]
