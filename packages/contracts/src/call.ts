import type { Static, TSchema } from '@sinclair/typebox'
import type { ServiceName } from './services'

/** A request from one service to another: its route, parameters and answer. */
export interface Call<Body extends TSchema = TSchema, Answer extends TSchema = TSchema> {
  readonly service: ServiceName
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for parameters. */
  readonly path: string
  readonly body: Body | null
  /** The schema of a 2xx answer. */
  readonly answer: Answer
}

/** The arguments of a call: values for the path, the query and the body. */
export interface CallInput<Body> {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: Body
  /** Makes a repeat of the call harmless; every POST takes one. */
  idempotencyKey?: string
  /** Another timeout than that of other calls. */
  timeoutMs?: number
  /** How long the answer may be, in bytes; unbounded unless given. */
  mostBytes?: number
}

/** Declares a call without a body. */
export const readCall = <A extends TSchema>(
  service: ServiceName,
  method: Call['method'],
  path: string,
  answer: A,
): Call<TSchema, A> => ({ service, method, path, body: null, answer })

/** Declares a call with a JSON body. */
export const writeCall = <B extends TSchema, A extends TSchema>(
  service: ServiceName,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  body: B,
  answer: A,
): Call<B, A> => ({ service, method, path, body, answer })

export type BodyOf<C> = C extends Call<infer B, TSchema> ? Static<B> : never
export type AnswerOf<C> = C extends Call<TSchema, infer A> ? Static<A> : never
