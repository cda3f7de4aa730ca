import { useCan } from '../../api/session'
import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { Banks } from './banks'
import { CreditLines } from './credit-lines'
import { CustodianPayments } from './custodian-payments'
import { OpenPayments } from './open-payments'
import { Payments } from './payments'

const tabs = [
  ['', 'Payments'],
  ['banks', 'Custodian banks'],
  ['credit', 'Credit lines'],
] as const

/** Money at banks: payments, custodian banks and credit lines. */
export default function Bank() {
  const isStaff = useCan('read')
  const view = useTabs('view', tabs)
  if (!isStaff) return <CustodianPayments />
  return (
    <Page title="Bank money">
      <OpenPayments />
      <Tabs label="What is shown" of={view} />
      {view.value === 'banks' ? <Banks /> : view.value === 'credit' ? <CreditLines /> : <Payments />}
    </Page>
  )
}
