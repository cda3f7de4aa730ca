import { useCan } from '../../api/session'
import { DialogButton } from '../../ui/dialog-button'
import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { Books } from './books'
import { ChainFigures } from './chain-figures'
import { useNetworks } from './chain-queries'
import { FeeBalances } from './fee-balances'
import { Networks } from './networks'
import { PayIn } from './pay-in'
import { Sends } from './sends'
import { Wallets } from './wallets'

const tabs = [
  ['', 'Networks'],
  ['sends', 'Sends under way'],
  ['books', 'Ledger against chain'],
  ['wallets', 'Wallets'],
] as const

/** The networks, pending sends, owed and held amounts, and the wallets of accounts. */
export default function Chain() {
  const view = useTabs('view', tabs)
  const networks = useNetworks()
  const isOperator = useCan('operate')
  const simulated = networks.data?.filter(({ kind }) => kind === 'simulated') ?? []
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
      <Tabs label="What is shown" of={view} />
      {view.value === 'sends' ? (
        <Sends />
      ) : view.value === 'books' ? (
        <Books />
      ) : view.value === 'wallets' ? (
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
