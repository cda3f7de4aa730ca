import { Button } from '../../ui/button'
import type { BoundFilters } from '../../ui/filters'
import { Filters } from '../../ui/filters'
import { type filterNames, hidesRates } from './log-query'

type Bound = BoundFilters<(typeof filterNames)[number]>

const services = [
  'account',
  'blockchain',
  'core-ledger',
  'customer',
  'gateway',
  'identity-manager',
  'log-tracker',
  'main-api',
  'message',
  'notification',
  'participant',
  'quote',
  'sanctions',
  'transaction-manager',
  'wallet',
  'webhook',
].map((name) => [name, name] as const)
const types = [
  'TRANSACTION_CREATED',
  'TRANSACTION_COMPLETED',
  'TRANSACTION_FAILED',
  'TRANSACTION_CANCELLED',
  'VALUATION_REQUESTED',
  'VALUATION_PROCESSED',
  'VALUATION_FAILED',
  'PARTICIPANT_CREATED',
  'PARTICIPANT_UPDATED',
  'PARTICIPANT_DELETED',
  'WALLET_CREATED',
  'WALLET_BALANCE_UPDATED',
  'WALLET_TRANSACTION',
  'SERVICE_STARTED',
  'SERVICE_STOPPED',
  'HEALTH_CHECK',
  'ERROR_OCCURRED',
]

/** The log's filters, and the switch for messages about rates. */
export function LogFilterBar({ of }: { of: Bound }) {
  const isHiding = hidesRates(of.values)
  const isChoice = isHiding || of.values.rates === 'show'
  return (
    <div class="log-filters">
      <Filters
        label="Filter the log"
        of={of}
        fields={[
          { kind: 'choice', name: 'service', label: 'Service', options: services },
          { kind: 'choice', name: 'type', label: 'Event', options: types },
          { kind: 'choice', name: 'status', label: 'Status', options: ['SUCCESS', 'FAILURE', 'PENDING'] },
          { kind: 'text', name: 'requestId', label: 'Request id' },
          { kind: 'text', name: 'transactionId', label: 'Transaction id' },
          { kind: 'day', name: 'from', label: 'From' },
          { kind: 'day', name: 'to', label: 'To' },
        ]}
      />
      {isChoice ? (
        <p class="hint log-rates">
          {isHiding ? 'Reads of rates are left out.' : 'Reads of rates are among them.'}
          <Button look="quiet" isSmall onClick={() => of.set('rates', isHiding ? 'show' : '')}>
            {isHiding ? 'Show them' : 'Leave them out'}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
