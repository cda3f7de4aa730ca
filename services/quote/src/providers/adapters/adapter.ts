import type { ProviderConfig } from './provider-config'

/** A GET. The sender adds `accept` and the config's own headers. */
interface OutgoingRequest {
  url: string
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  text: string
}

export interface ProviderAnswer {
  /** USD for one unit: decimal text as the provider wrote it, for big.js. */
  price: string
  /** The time of the price, if the answer contains it. */
  at?: Date
}

/** Builds a provider's request and parses its answer. Both functions are pure and throw ProviderFailure. */
export interface Adapter {
  request(code: string, config: ProviderConfig): OutgoingRequest
  read(answer: Answer, code: string, config: ProviderConfig): ProviderAnswer
}
