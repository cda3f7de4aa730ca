import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Assets } from './assets'
import { Categories } from './categories'
import { Providers } from './providers'

const tabs = [
  { value: '', words: 'Assets' },
  { value: 'categories', words: 'Categories' },
  { value: 'providers', words: 'Providers' },
]

/** The rates of assets, and their providers. */
export default function Rates() {
  const view = useFilters(['view'])
  const chosen = tabs.some(({ value }) => value === view.values.view) ? view.values.view : ''
  return (
    <Page title="Rates">
      <Tabs label="What is shown" tabs={tabs} value={chosen} onChange={(value) => view.set('view', value)} />
      {chosen === 'categories' ? <Categories /> : chosen === 'providers' ? <Providers /> : <Assets />}
    </Page>
  )
}
