import { SessionRevoked } from '@bursar/contracts/identity-manager'
import { type Consumer, consumer } from '@bursar/http'
import type { Revocations } from './revocations'

/** Several gateways share the events: each gets the others' by its pull. */
export const revocationConsumers = (revocations: Revocations): readonly Consumer[] => [
  consumer(SessionRevoked, async ({ data }) => revocations.add(data)),
]
