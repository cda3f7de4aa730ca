import { request } from '../../api/http'
import { useRequest } from '../../api/read'

/** A service's own report of its state. */
export interface Operations {
  version: string
  startedAt: string
  checks: readonly string[]
  failures: Readonly<Record<string, string>>
  /** Sentences about work that waits for a person. */
  waiting: readonly string[]
  figures: Readonly<Record<string, number>>
  outbox: {
    waiting: number
    oldestAt: string | null
    problem: string | null
    unknown: readonly { name: string; count: number; oldestAt: string }[]
  }
  queue: { depth: number | null; deadLetters: number | null }
  consumers: readonly string[]
  database: { bytes: number; logBytes: number | null } | null
  diskFreeBytes: number | null
}

/** The state of an instance as seen by the gateway. */
interface InstanceState {
  address: string
  status: 'ok' | 'failing' | 'late' | 'away'
  ms: number
  problem: string | null
}

/** That of a service. */
export interface ServiceState extends Omit<InstanceState, 'address'> {
  name: string
  slug: string
  operations: Operations | null
  /** Each instance of a service that has several. */
  instances: readonly InstanceState[]
}

export interface Health {
  at: string
  services: readonly ServiceState[]
}

export interface DeadLetter {
  id: string
  consumer: string
  events: readonly { id: string; name: string }[]
  attempts: number
  error: string
  at: string
}

interface DeadLetters {
  total: number
  items: readonly DeadLetter[]
}

const everyMs = 5000

/** All services, read again every five seconds. */
export const useHealth = () =>
  useRequest<Health>(['health'], '/health', { refetchInterval: everyMs, staleTime: everyMs })

/** The dead letters of a service; read again when their number changes. */
export const useLetters = (service: string, count: number) =>
  useRequest<DeadLetters>(['dead-letters', service, count], `/services/${service}/dead-letters`)

export type RetryState = 'retried' | 'pending' | 'done'

/** Puts a dead letter back on its queue. A repeat changes nothing. */
export const retryLetter = ({ consumer, id }: DeadLetter) =>
  request<{ state: RetryState }>(`/services/${consumer}/dead-letters/${encodeURIComponent(id)}/retry`, {
    method: 'POST',
  })
