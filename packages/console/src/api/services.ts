import createClient from 'openapi-fetch'
import type { paths as Account } from '#types/account'
import type { paths as Blockchain } from '#types/blockchain'
import type { paths as Core } from '#types/core-ledger'
import type { paths as Customer } from '#types/customer'
import type { paths as Identity } from '#types/identity-manager'
import type { paths as Tracker } from '#types/log-tracker'
import type { paths as Main } from '#types/main-api'
import type { paths as Message } from '#types/message'
import type { paths as Notification } from '#types/notification'
import type { paths as Participant } from '#types/participant'
import type { paths as Quote } from '#types/quote'
import type { paths as Sanctions } from '#types/sanctions'
import type { paths as Payments } from '#types/transaction-manager'
import type { paths as Wallet } from '#types/wallet'
import type { paths as Webhook } from '#types/webhook'
import type { Total } from '../format/amount'
import type { ApiError } from './api-error'
import { apiBase, consoleFetch } from './http'

/** The URL of a service's route, for links and streams: `serviceUrl('tracker', '/log-messages/export')`. */
export const serviceUrl = (slug: string, path: string): string => `${apiBase}/${slug}/v1${path}`

const clientOf = <Paths extends object>(slug: string) =>
  createClient<Paths>({ baseUrl: `${location.origin}${serviceUrl(slug, '')}`, fetch: consoleFetch })

/** A typed client for each service: `dataOf(core.GET('/transactions', { params: { query } }))`. All of them throw ApiError. */
export const account = clientOf<Account>('account')
export const blockchain = clientOf<Blockchain>('blockchain')
export const core = clientOf<Core>('core')
export const customer = clientOf<Customer>('customer')
export const identity = clientOf<Identity>('identity')
export const main = clientOf<Main>('main')
export const message = clientOf<Message>('message')
export const notification = clientOf<Notification>('notification')
export const participant = clientOf<Participant>('participant')
export const payments = clientOf<Payments>('transactions')
export const quote = clientOf<Quote>('quote')
export const sanctions = clientOf<Sanctions>('sanctions')
export const tracker = clientOf<Tracker>('tracker')
export const wallet = clientOf<Wallet>('wallet')
export const webhook = clientOf<Webhook>('webhook')

export interface Answer<T> {
  data?: T
}

/** With its headers, which count a list. */
export type CountedAnswer<T> = Answer<T> & { response: Response }

/** The body of a call's answer. */
export async function dataOf<T>(call: Promise<Answer<T>>): Promise<Exclude<T, undefined>> {
  return (await call).data as Exclude<T, undefined>
}

/** For a record that need not be there: null instead of a 404. */
export const orNull = <T>(call: Promise<Answer<T>>): Promise<Answer<T | null>> =>
  call.catch((error: ApiError) => {
    if (error.status === 404) return { data: null }
    throw error
  })

/** A list's page, with the total number if it was requested (`count: true`) and the service counts. */
export async function pageOf<T>(
  call: Promise<CountedAnswer<T>>,
): Promise<{ rows: NonNullable<T>; total: Total | null }> {
  const { data, response } = await call
  return { rows: data as NonNullable<T>, total: totalOf(response) }
}

/** The same of an answer that has both in its body. */
export async function bodyPageOf<Row>(
  call: Promise<Answer<{ data: readonly Row[]; pageInfo: { total: number } }>>,
): Promise<{ rows: readonly Row[]; total: number }> {
  const { data, pageInfo } = await dataOf(call)
  return { rows: data, total: pageInfo.total }
}

/** The total number of records, requested with `count: true`; null if the service does not report it. */
export function totalOf(response: Response): Total | null {
  const total = response.headers.get('x-total-count')
  if (total === null) return null
  return total.endsWith('+') ? 'many' : Number(total)
}
