import { Button } from '../../ui/button'
import { Filters } from '../../ui/filters'
import type { BoundFilters } from '../../ui/use-filters'
import { type filterNames, hidesRates, type LogMessage } from './log-query'

type Bound = BoundFilters<(typeof filterNames)[number]>

const services = (
  'account blockchain core-ledger customer gateway identity-manager log-tracker main-api ' +
  'message notification participant quote sanctions transaction-manager wallet webhook'
)
  .split(' ')
  .map((name) => [name, name] as const)
/** Every event; the type check fails if one is missing. */
const types = Object.keys({
  TRANSACTION_CREATED: true,
  TRANSACTION_COMPLETED: true,
  TRANSACTION_FAILED: true,
  TRANSACTION_CANCELLED: true,
  VALUATION_REQUESTED: true,
  VALUATION_PROCESSED: true,
  VALUATION_FAILED: true,
  PARTICIPANT_CREATED: true,
  PARTICIPANT_UPDATED: true,
  PARTICIPANT_DELETED: true,
  WALLET_CREATED: true,
  WALLET_BALANCE_UPDATED: true,
  WALLET_TRANSACTION: true,
  SERVICE_STARTED: true,
  SERVICE_STOPPED: true,
  HEALTH_CHECK: true,
  ERROR_OCCURRED: true,
} satisfies Record<LogMessage['event_type'], true>)

/** The log's filters, and the switch for messages about rates. */
export function LogFilterBar({ of }: { of: Bound }) {
  const isHiding = hidesRates(of.values)
  const isChoice = isHiding || of.values.rates === 'show'
  return (
    <div class="rows">
      <Filters
        label="Filter the log"
        of={of}
        fields={[
          { kind: 'choice', name: 'service', label: 'Service', options: services },
          { kind: 'choice', name: 'type', label: 'Event', options: types },
          { kind: 'choice', name: 'status', label: 'Status', options: ['SUCCESS', 'FAILURE', 'PENDING'] },
          { kind: 'text', name: 'requestId', label: 'Request id' },
          { kind: 'text', name: 'transactionId', label: 'Transaction id' },
          { kind: 'period', name: 'from', to: 'to', label: 'Days' },
        ]}
      />
      {isChoice ? (
        <p class="hint row log-rates">
          {isHiding ? 'Reads of rates are left out.' : 'Reads of rates are shown.'}
          <Button look="quiet" isSmall onClick={() => of.set('rates', isHiding ? 'show' : '')}>
            {isHiding ? 'Show them' : 'Leave them out'}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
