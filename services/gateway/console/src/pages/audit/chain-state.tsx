import { useQuery } from '../../api/query'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { Loaded, Note } from '../../ui/states'
import { Time } from '../../ui/time'
import { type AuditCheck, checkQuery } from './audit-query'

/** Whether every row of the trail is as it was written. */
export function ChainState() {
  const check = useQuery(checkQuery)
  return (
    <Loaded of={check} lines={1}>
      {(found) => (
        <Note tone={found.intact ? 'good' : 'bad'} icon={found.intact ? 'check' : 'alert'}>
          <div class="chain-line">
            <div>
              <strong>{found.intact ? 'The trail is whole.' : 'The trail was tampered with.'}</strong>{' '}
              <Words of={found} />
            </div>
            <Button isSmall icon="refresh" disabled={check.isFetching} onClick={() => void check.refetch()}>
              {check.isFetching ? 'Checking…' : 'Check again'}
            </Button>
          </div>
        </Note>
      )}
    </Loaded>
  )
}

function Words({ of: { intact, rows, head, problem, unanswered, checkedAt } }: { of: AuditCheck }) {
  return (
    <>
      {intact ? `${formatCount(rows)} rows, each with the hash of the one before.` : problem} Checked{' '}
      <Time at={checkedAt} zone />.{' '}
      {unanswered > 0 ? `${counted(unanswered, 'act')} ${unanswered === 1 ? 'has' : 'have'} no answer. ` : ''}
      {rows > 0 ? (
        <span class="sub">
          Row {formatCount(head.number)}: <code>{head.hash}</code>
        </span>
      ) : null}
    </>
  )
}
