import { useOpenWork } from '../../api/open-work'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Card, Facts } from '../../ui/card'
import { Note } from '../../ui/states'
import { Badge } from '../../ui/status'
import type { Operations, ServiceState } from './health-query'
import { CheckState } from './service-detail'

const checks = {
  audit: 'Balances',
  books: 'Sealed journal',
  reconciliation: 'Wallets and chains',
  withdrawals: 'Withdrawals',
} as const

/** The results of the ledger's audit and reconciliation since its start. */
export function LedgerBooks({ of: { operations, problem } }: { of: ServiceState }) {
  const stuck = useOpenWork().data?.stuckCount ?? 0
  if (!operations) {
    return (
      <Card title="The ledger’s books">
        <Note tone="bad">Their state is unknown: {problem ?? 'the ledger does not answer.'}</Note>
      </Card>
    )
  }
  return (
    <Card title="The ledger’s books">
      <Facts
        of={Object.entries(checks).map(([check, words]) => [
          words,
          !operations.checks.includes(check) ? null : check === 'withdrawals' && stuck > 0 ? (
            <a key={check} href="/console/transactions?view=stuck">
              <Badge tone="bad" icon="bang">
                {formatCount(stuck)} stuck
              </Badge>
            </a>
          ) : (
            <CheckState key={check} failure={operations.failures[check]} />
          ),
        ])}
      />
      <Rounds of={operations} />
    </Card>
  )
}

/** A check that has not run yet also passes, so the number of runs is shown. */
function Rounds({ of: { figures } }: { of: Operations }) {
  const rounds = figures.bursar_audit_rounds
  if (rounds === undefined) return null
  if (rounds === 0) return <p class="hint">The first round of the audit has not finished yet.</p>
  const entries = counted(figures.bursar_audit_entries ?? 0, 'entry', 'entries')
  const reconciled = figures.bursar_reconciliation_rounds
  return (
    <p class="hint">
      Since the start: {counted(rounds, 'round')} of the audit over {entries}
      {reconciled === undefined ? '' : `, ${counted(reconciled, 'reconciliation')}`}.
    </p>
  )
}
