/// <reference path="./bullmq.d.ts" />
import type { ServiceName } from '@bursar/contracts/services'
import { Queue } from 'bullmq/dist/cjs/classes/queue'
import { type Connection, isCluster } from './redis-url'
import { attempts } from './retry'
import type { SignedEvents } from './signature'

/** The prefix of all keys in Redis. */
export const defaultPrefix = 'bursar'

/**
 * The prefix of a queue's keys. A cluster keeps all keys with one text in braces on one node: each queue has its own, so that
 * they spread over the nodes.
 */
export const queuePrefix = (prefix: string, service: ServiceName, connection: Connection): string =>
  isCluster(connection) ? `${prefix}:{${service}}` : prefix

export type EventQueue = Queue<SignedEvents>

/** A service's queue over an open connection. Its commands fail at once while Redis is away. */
export function openQueue(service: ServiceName, connection: Connection, prefix: string): EventQueue {
  const queue: EventQueue = new Queue(service, {
    connection,
    prefix: queuePrefix(prefix, service, connection),
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
    defaultJobOptions: { attempts, backoff: { type: 'capped' } },
  })
  // The connection logs its own errors.
  queue.on('error', () => {})
  return queue
}
