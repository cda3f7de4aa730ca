import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { CheckCard } from './check-card'
import { JobTable } from './job-table'
import { JobView } from './job-view'
import { ListCards } from './list-card'
import { jobFilters } from './sanctions-queries'

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
        <JobTable of={filters} />
      </section>
    </Page>
  )
}
