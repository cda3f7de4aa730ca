import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { Assets } from './assets'
import { Categories } from './categories'
import { Providers } from './providers'

const tabs = [
  ['', 'Assets'],
  ['categories', 'Categories'],
  ['providers', 'Providers'],
] as const

/** The rates of assets, and their providers. */
export default function Rates() {
  const view = useTabs('view', tabs)
  return (
    <Page title="Rates">
      <Tabs label="What is shown" of={view} />
      {view.value === 'categories' ? <Categories /> : view.value === 'providers' ? <Providers /> : <Assets />}
    </Page>
  )
}
