/** What of the gateway's OpenAPI document is read here. */
export interface GatewayDocument {
  paths: Record<string, Record<string, Operation>>
  components: { parameters?: Record<string, Parameter>; schemas?: Record<string, Schema> }
}

export interface Operation {
  summary?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

interface Reference {
  $ref: string
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  example?: unknown
}

export interface Schema {
  $ref?: string
  items?: Schema
  properties?: Record<string, Schema>
  format?: string
  contentMediaType?: string
}

/** An operation's parameters, those of the components too. */
export const parametersOf = ({ components }: GatewayDocument, { parameters = [] }: Operation): Parameter[] =>
  parameters.flatMap((each) => ('$ref' in each ? (components.parameters?.[nameOf(each.$ref)] ?? []) : each))

/** The last part of a reference, or of a path. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? ''

export const resolved = ({ components }: GatewayDocument, schema: Schema): Schema =>
  schema.$ref ? (components.schemas?.[nameOf(schema.$ref)] ?? {}) : schema
