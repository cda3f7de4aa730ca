// What a service knows of the records of another one is what their owner has.
import type { ServiceName } from '@bursar/contracts/services'
import type { Finding } from './finding'
import { rows } from './read-files'
import type { State } from './state'

const accounts = 'SELECT id, customer_id, type, status, participant_id FROM accounts'

/** The same question to the owner and to who has a replica. */
const questions: readonly (readonly [owner: ServiceName, holder: ServiceName, sql: string])[] = [
  ['customer', 'core-ledger', 'SELECT id, status FROM customers'],
  ['account', 'core-ledger', accounts],
  ['customer', 'account', 'SELECT id, external_id FROM customers'],
  ['account', 'customer', 'SELECT id, customer_id FROM accounts'],
]

export function replicasIn(file: (service: ServiceName) => string): State['replicas'] {
  const answers = (service: ServiceName, sql: string) =>
    new Set(rows<Record<string, unknown>>(file(service), sql).map((row) => Object.values(row).join(' ')))
  return questions.map(([owner, holder, sql]) => ({
    owner,
    holder,
    owned: answers(owner, sql),
    known: answers(holder, sql),
  }))
}

export const checkReplicas = ({ replicas }: State): Finding[] =>
  replicas.flatMap(({ owner, holder, owned, known }) => [
    ...[...owned.difference(known)].map((id): Finding => ({ kind: 'wrong', id, what: `${holder} does not know it` })),
    ...[...known.difference(owned)].map((id): Finding => ({ kind: 'wrong', id, what: `${owner} has it otherwise` })),
  ])
