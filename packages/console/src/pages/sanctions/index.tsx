import { Page } from '../../ui/page'
import { useFilters } from '../../ui/use-filters'
import { Views } from '../../ui/views'
import { CheckCard } from './check-card'
import { JobTable } from './job-table'
import { JobView } from './job-view'
import { ListCards } from './list-card'
import { jobFilters } from './sanctions-queries'

const views = [
  { name: 'All', query: '' },
  { name: 'Sanctioned', query: 'result=hit' },
  { name: 'Unknown', query: 'result=failed' },
  { name: 'Under way', query: 'result=pending' },
]

/** Screenings: their subjects, the list, and the results. */
export default function Sanctions() {
  const { values } = useFilters(['job'])
  return values.job === '' ? <Screenings /> : <JobView key={values.job} id={values.job} />
}

function Screenings() {
  const filters = useFilters(jobFilters)
  return (
    <Page title="Sanctions">
      <ListCards />
      <CheckCard />
      <section class="stack" aria-label="Screenings">
        <h2>Screenings</h2>
        <Views page="/console/sanctions" views={views} />
        <JobTable of={filters} />
      </section>
    </Page>
  )
}
