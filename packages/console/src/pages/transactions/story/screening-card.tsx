import { useCan } from '../../../api/session'
import { Card } from '../../../ui/card'
import { Id } from '../../../ui/id'
import { JsonView } from '../../../ui/json-view'
import { Loaded } from '../../../ui/states'
import { Status } from '../../../ui/status'
import { Screening } from '../screening'
import { evidenceOf, isBare } from '../screening-evidence'
import { type Transaction, useScreeningJobs } from './story-query'

/** The screening's result, and the jobs of the sanctions service about it; the timeline alone tells one without evidence. */
export function ScreeningCard({ of }: { of: Transaction }) {
  const jobs = useScreeningJobs(of)
  const isStaff = useCan('read')
  const evidence = evidenceOf(of.screeningData)
  if (isBare(evidence) && !of.screeningData && !jobs.data?.length) return null
  return (
    <Card title="Screening" aside={evidence.provider}>
      {isBare(evidence) ? null : <Screening data={of.screeningData} />}
      {of.screeningData ? <JsonView of={of.screeningData} title="The whole answer of the screening" /> : null}
      {isStaff ? (
        <Loaded of={jobs} lines={1}>
          {(list) =>
            list.length === 0 ? null : (
              <ul class="rows">
                {list.map((job) => (
                  <li key={job.jobId} class="ends">
                    <span>
                      Job <Id value={job.jobId} href={`/console/sanctions?job=${job.jobId}`} />
                    </span>
                    <Status value={job.sanctioned ? 'hit' : job.status} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      ) : null}
    </Card>
  )
}
