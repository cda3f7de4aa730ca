export type Json = Record<string, unknown>

/** The parts of an OpenAPI document that are processed here. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Json>
  tags?: { name: string; description?: string }[]
  /** Requests that receivers get, by the type of their event. */
  webhooks?: Record<string, Json>
}

export interface Operation extends Json {
  tags?: string[]
  responses: Record<string, Json>
}
