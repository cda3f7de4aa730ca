import { reread } from '../../api/query'
import { blockchain, dataOf } from '../../api/services'
import { shorten } from '../../format/words'
import { Act } from '../../ui/act'
import { AmountField, Choice, Field } from '../../ui/field'
import { Note } from '../../ui/states'
import type { NetworkStatus } from './chain-queries'

const usual = 'polygon'

interface PayInProps {
  networks: readonly Pick<NetworkStatus, 'network'>[]
  /** The address, if already known. */
  to?: string
  onClose(): void
}

/** Pays an amount in on a simulated network. */
export const PayIn = ({ networks, to, onClose }: PayInProps) => (
  <Act
    title="Pay in on a simulated network?"
    confirm="Pay in"
    act={({ text, headers }) => {
      const params = { path: { network: text('network') } }
      const body = { address: text('address'), asset: text('asset'), amount: text('amount') }
      return dataOf(blockchain.POST('/simulated/{network}/deposits', { params, headers, body }))
    }}
    done={({ amount, asset, transactionHash }) => `${amount} ${asset} paid in: ${shorten(transactionHash)}`}
    onDone={() => reread(['networks'], ['transactions'], ['reconciliation'])}
    onClose={onClose}
  >
    <Note>Sandbox money from nowhere: no real chain is involved. The ledger screens it like any other deposit.</Note>
    <Choice label="Network" name="network">
      {networks.map(({ network }) => (
        <option key={network} value={network} selected={network === usual}>
          {network}
        </option>
      ))}
    </Choice>
    <Field label="To the address" name="address" defaultValue={to} required maxLength={128} spellcheck={false} />
    <Field
      label="Asset"
      name="asset"
      required
      maxLength={128}
      defaultValue="USDC"
      hint="The code of a coin or token, or its contract"
    />
    <AmountField label="Amount" name="amount" required />
  </Act>
)
