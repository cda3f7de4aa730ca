/// <reference path="./bullmq.d.ts" />
import type { ServiceName } from '@bursar/contracts/services'
import { Queue } from 'bullmq/dist/cjs/classes/queue'
import type { Redis } from 'ioredis'
import { attempts } from './retry'
import type { SignedEvents } from './signature'

/** The prefix of all keys in Redis. */
export const defaultPrefix = 'bursar'

export type EventQueue = Queue<SignedEvents>

/** A service's queue over an open connection. Its commands fail at once while Redis is away. */
export function openQueue(service: ServiceName, connection: Redis, prefix: string): EventQueue {
  const queue: EventQueue = new Queue(service, {
    connection,
    prefix,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
    defaultJobOptions: { attempts, backoff: { type: 'capped' } },
  })
  // The connection logs its own errors.
  queue.on('error', () => {})
  return queue
}
