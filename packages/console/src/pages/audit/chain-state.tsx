import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Button } from '../../ui/button'
import { Loaded, Note } from '../../ui/states'
import { Time } from '../../ui/time'
import { type AuditCheck, useCheck } from './audit-query'

/** Whether every row of the trail is unchanged. */
export function ChainState() {
  const check = useCheck()
  return (
    <Loaded of={check} lines={1}>
      {(found) => (
        <Note tone={!found.intact ? 'bad' : found.isComplete ? 'good' : 'wait'} icon={iconOf(found)}>
          <div class="ends">
            <div>
              <strong>{verdictOf(found)}</strong> <Words of={found} />
            </div>
            <Button isSmall icon="refresh" disabled={check.isFetching} onClick={() => void check.refetch()}>
              {check.isFetching ? 'Checking…' : found.isComplete ? 'Check again' : 'Check further'}
            </Button>
          </div>
        </Note>
      )}
    </Loaded>
  )
}

const iconOf = ({ intact, isComplete }: AuditCheck) => (!intact ? 'alert' : isComplete ? 'check' : 'clock')

/** The verdict; an incomplete check claims only what it has checked. */
function verdictOf({ intact, isComplete }: AuditCheck): string {
  if (!intact) return 'The trail was tampered with.'
  return isComplete ? 'The trail is whole.' : 'No break so far: the check is not complete yet.'
}

function Words({ of: { intact, isComplete, rows, head, problem, unanswered, checkedAt } }: { of: AuditCheck }) {
  return (
    <>
      {intact ? `${formatCount(rows)} rows, each with the hash of the one before.` : problem} Checked{' '}
      <Time at={checkedAt} zone />.{' '}
      {isComplete && unanswered > 0
        ? `${counted(unanswered, 'act')} ${unanswered === 1 ? 'has' : 'have'} no answer. `
        : ''}
      {rows > 0 ? (
        <span class="sub">
          Row {formatCount(head.number)}: <code>{head.hash}</code>
        </span>
      ) : null}
    </>
  )
}
