import type { ProviderConfig } from './provider-config'

/** A GET. The sender adds `accept` and the config's own headers. */
export interface OutgoingRequest {
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
  /** When the price was made, if the answer contains it. */
  at?: Date
}

/** How one provider is asked and understood. Both are pure and throw ProviderFailure. */
export interface Adapter {
  request(code: string, config: ProviderConfig): OutgoingRequest
  read(answer: Answer, code: string, config: ProviderConfig): ProviderAnswer
}
