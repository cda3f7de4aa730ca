import type { ServiceName } from '@bursar/contracts/services'
import { institutionRules } from './institution-rules'
import { messageRules } from './message-rules'
import { moneyRules } from './money-rules'
import type { Rule } from './rules'

/**
 * `AUTHORIZATION=roles` (decisions, Gateway): every route of every service but /health, who may use it, and for whose
 * objects. Routes not listed are served to nobody. Lists that cannot be limited to a participant's own records are not
 * for participants.
 */
export const table: Readonly<Record<Exclude<ServiceName, 'gateway'>, Readonly<Record<string, Rule>>>> = {
  ...institutionRules,
  ...moneyRules,
  ...messageRules,
}
