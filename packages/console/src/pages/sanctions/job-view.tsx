import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Institution } from '../../ui/organisations'
import { Page } from '../../ui/page'
import { Empty, Loaded, Note } from '../../ui/states'
import { Time } from '../../ui/time'
import { ResultBadge } from './result-badge'
import { useJob, useSubject } from './sanctions-queries'
import { SourceFindings } from './source-findings'

type Job = NonNullable<ReturnType<typeof useJob>['data']>

/** One screening with its evidence: the query and the result of each source. */
export function JobView({ id }: { id: string }) {
  const read = useJob(id)
  return (
    <Page
      title="Screening"
      up={{ href: '/console/sanctions', words: 'Sanctions' }}
      badge={read.data ? <ResultBadge status={read.data.status} sanctioned={sanctionedOf(read.data)} /> : null}
    >
      <Loaded of={read} lines={8}>
        {(job) => (
          <div class="columns is-side">
            <div class="stack">
              <Evidence job={job} />
            </div>
            <JobFacts job={job} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

const sanctionedOf = ({ result }: Job): boolean | null => result?.sanctioned ?? null

function Evidence({ job }: { job: Job }) {
  const { result, error, status, attempts } = job
  return (
    <Card title="Evidence">
      {error ? (
        <Note tone={status === 'failed' ? 'bad' : 'wait'}>
          {error}
          {status === 'failed'
            ? '. The result is unknown: do not approve anything because of it.'
            : `. Attempt ${attempts}; it is repeated.`}
        </Note>
      ) : null}
      {result && result.sources.length > 0 ? <SourceFindings sources={result.sources} /> : null}
      {result?.sources.length === 0 ? (
        <Empty icon="info" title="No source was asked">
          <p>The transaction has no party outside the ledger.</p>
        </Empty>
      ) : null}
      {!result && !error ? <Empty icon="clock" title="The sources are being asked" /> : null}
      {result ? <JsonView of={result} /> : null}
    </Card>
  )
}

function JobFacts({ job }: { job: Job }) {
  const { result, kind, externalId } = job
  const about = useSubject(job.jobId, externalId).data
  return (
    <Card title="Screening">
      <Facts
        of={[
          ['Screened', about?.subject ? <Id value={about.subject} isWhole /> : null],
          ['Network', about?.blockchain],
          [
            kind === 'ledger' ? 'Transaction' : 'Named',
            kind === 'ledger' ? (
              <Id value={externalId} href={`/console/transactions/${externalId}`} isWhole />
            ) : (
              externalId
            ),
          ],
          ['Created', <Time at={job.createdAt} zone />],
          ['Checked', result ? <Time at={result.checkedAt} isWhole /> : null],
          ['Participant', about?.participantId ? <Institution id={about.participantId} /> : null],
          ['Attempts', job.attempts],
          ['Id', <Id value={job.jobId} isWhole />],
        ]}
      />
    </Card>
  )
}
