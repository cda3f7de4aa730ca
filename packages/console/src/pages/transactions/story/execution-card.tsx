import { shortenIds } from '../../../format/words'
import { Card, Facts } from '../../../ui/card'
import { Loaded, Note } from '../../../ui/states'
import { Age, In, Time } from '../../../ui/time'
import { type Transaction, useExecution } from './story-query'

type Execution = NonNullable<ReturnType<typeof useExecution>['data']>

/** How an approved transaction is being carried out: what failed, and when it is tried again. */
export function ExecutionCard({ of }: { of: Transaction }) {
  const execution = useExecution(of)
  if (of.status !== 'APPROVED') return null
  return (
    <Card title="Execution" aside={<span class="hint">read every few seconds</span>}>
      <Loaded of={execution}>
        {(data) => (data === null ? <p class="hint">It has just been carried out.</p> : <Attempts of={data} />)}
      </Loaded>
    </Card>
  )
}

function Attempts({ of }: { of: Execution }) {
  const { attempts, lastError, nextAttemptAt, underWayUntil, orderedAt, acceptedAt, queuedAt, lane } = of
  const isUnderWay = underWayUntil !== null && Date.parse(underWayUntil) > Date.now()
  return (
    <>
      {lastError ? (
        <Note tone="wait">
          <strong>Attempt {attempts} did not carry it out.</strong> {shortenIds(lastError)}.
        </Note>
      ) : null}
      <Facts
        of={[
          ['By', lane === 'chain' ? 'the wallet service, on its network' : 'the ledger itself'],
          ['Waits', <Age since={queuedAt} />],
          ['Next', isUnderWay ? 'an attempt is under way' : <Next at={nextAttemptAt} />],
          ['Attempts', attempts],
          ['Ordered', orderedAt ? <Time at={orderedAt} zone /> : null],
          ['Accepted', acceptedAt ? <Time at={acceptedAt} zone /> : null],
        ]}
      />
    </>
  )
}

function Next({ at }: { at: string }) {
  if (Date.parse(at) <= Date.now()) return <>now</>
  return (
    <>
      <In at={at} />, at <Time at={at} zone />
    </>
  )
}
