import { useCan } from '../../api/session'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Banks } from './banks'
import { CreditLines } from './credit-lines'
import { CustodianPayments } from './custodian-payments'
import { OpenPayments } from './open-payments'
import { Payments } from './payments'

const tabs = [
  { value: '', words: 'Payments' },
  { value: 'banks', words: 'Custodian banks' },
  { value: 'credit', words: 'Credit lines' },
]

/** Money at banks: payments, custodian banks and credit lines. */
export default function Bank() {
  const isStaff = useCan('read')
  const view = useFilters(['view'])
  if (!isStaff) return <CustodianPayments />
  const chosen = tabs.some(({ value }) => value === view.values.view) ? view.values.view : ''
  return (
    <Page title="Bank money">
      <OpenPayments />
      <Tabs label="What is shown" tabs={tabs} value={chosen} onChange={(value) => view.set('view', value)} />
      {chosen === 'banks' ? <Banks /> : chosen === 'credit' ? <CreditLines /> : <Payments />}
    </Page>
  )
}
