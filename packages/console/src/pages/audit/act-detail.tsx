import { Button } from '../../ui/button'
import { Card, Facts, SidePanel } from '../../ui/card'
import { Id, RequestId } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Loaded, Note } from '../../ui/states'
import { Time } from '../../ui/time'
import { ActorName } from './act-names'
import { actTitle } from './act-sentences'
import { Outcome } from './audit-columns'
import { type AuditActDetail, useAct } from './audit-query'
import { changesBetween, shownValue } from './changes'

const doorWords = { console: 'the console', api: 'the API', command: 'a command' }

/** One act: who, from where, the request, the changes. */
export function ActDetail({ id, onClose }: { id: string; onClose(): void }) {
  const act = useAct(id)
  return (
    <SidePanel>
      <Card
        title={act.data ? actTitle(act.data) : 'Act'}
        aside={<Button look="quiet" isSmall icon="cross" aria-label="Close the act" onClick={onClose} />}
      >
        <Loaded of={act} lines={8}>
          {(found) => <Detail of={found} />}
        </Loaded>
      </Card>
    </SidePanel>
  )
}

function Detail({ of }: { of: AuditActDetail }) {
  const { at, answeredAt, address, door, session, object, service, action, requestId, status, rows } = of
  return (
    <>
      <Facts
        of={[
          ['Outcome', <Outcome status={status} />],
          ['Who', <ActorName of={of} />],
          ['From', door === 'start' ? address : `${address}, by ${doorWords[door]}`],
          ['Session', session ? <Id value={session} /> : null],
          ['Asked', <Time at={at} ms zone />],
          ['Answered', answeredAt ? <Time at={answeredAt} ms zone /> : 'not in the trail'],
          ['Route', <code>{`${service} ${action}`}</code>],
          ['About', object ? <Id value={object} isWhole /> : null],
          ['Request', <RequestId value={requestId} />],
          ['Rows', rows.map(({ number }) => number).join(' and ')],
        ]}
      />
      <Notes of={of} />
      <Changes of={of} />
      <Parts of={of} />
    </>
  )
}

function Notes({ of: { status, problem, isRepeat } }: { of: AuditActDetail }) {
  return (
    <>
      {problem ? <Note tone="bad">{problem}</Note> : null}
      {isRepeat ? <Note>A repeat with the same idempotency key: nothing was done twice.</Note> : null}
      {status === null ? (
        <Note tone="wait">
          It was forwarded, and no answer was recorded. Check the record that it concerns before you repeat it.
        </Note>
      ) : null}
    </>
  )
}

function Changes({ of: { before, after } }: { of: AuditActDetail }) {
  const changes = changesBetween(before, after)
  if (!changes) return null
  if (changes.length === 0) return <p class="hint">The record was the same before and after.</p>
  return (
    <table class="table changes" aria-label="What changed">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td class="bad">{shownValue(from)}</td>
            <td>{shownValue(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Parts({ of: { request, before, after, answer } }: { of: AuditActDetail }) {
  const parts = [
    ['Request', request],
    ['Before', before],
    ['After', after],
    ['Answer of the service', answer],
  ] as const
  return (
    <>{parts.map(([title, part]) => (part === undefined ? null : <JsonView key={title} title={title} of={part} />))}</>
  )
}
