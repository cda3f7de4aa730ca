import { useCan } from '../../api/session'
import { DialogButton } from '../../ui/dialog-button'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Books } from './books'
import { ChainFigures } from './chain-figures'
import { useNetworks } from './chain-queries'
import { FeeBalances } from './fee-balances'
import { Networks } from './networks'
import { PayIn } from './pay-in'
import { Sends } from './sends'
import { Wallets } from './wallets'

const tabs = [
  { value: '', words: 'Networks' },
  { value: 'sends', words: 'Sends under way' },
  { value: 'books', words: 'Ledger against chain' },
  { value: 'wallets', words: 'Wallets' },
]

/** The networks, pending sends, owed and held amounts, and the wallets of accounts. */
export default function Chain() {
  const view = useFilters(['view'])
  const networks = useNetworks()
  const isOperator = useCan('operate')
  const simulated = networks.data?.filter(({ kind }) => kind === 'simulated') ?? []
  const chosen = tabs.some(({ value }) => value === view.values.view) ? view.values.view : ''
  return (
    <Page
      title="Wallets and chains"
      actions={
        isOperator && simulated.length > 0 ? (
          <DialogButton icon="in" dialog={(close) => <PayIn networks={simulated} onClose={close} />}>
            Sandbox pay-in
          </DialogButton>
        ) : null
      }
    >
      <ChainFigures />
      <Tabs label="What is shown" tabs={tabs} value={chosen} onChange={(value) => view.set('view', value)} />
      {chosen === 'sends' ? (
        <Sends />
      ) : chosen === 'books' ? (
        <Books />
      ) : chosen === 'wallets' ? (
        <Wallets />
      ) : (
        <>
          <Networks />
          <FeeBalances />
        </>
      )}
    </Page>
  )
}
