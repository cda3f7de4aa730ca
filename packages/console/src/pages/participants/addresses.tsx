import { request } from '../../api/http'
import { reread } from '../../api/query'
import { useRequest } from '../../api/read'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Card } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { TextField } from '../../ui/field'
import { Loaded } from '../../ui/states'
import { addressesIn } from '../keys/addresses-in'

interface Addresses {
  addresses: string[]
}
const pathOf = (id: string) => `/institutions/${encodeURIComponent(id)}/addresses`

/** Where an institution's people and programs may come from. For staff; administrators change it. */
export function AddressesCard({ id }: { id: string }) {
  const isAdmin = useCan('manage')
  const list = useRequest<Addresses>(['institution', id, 'addresses'], pathOf(id))
  const { data } = list
  return (
    <Card
      title="Allowed addresses"
      aside={
        isAdmin && data ? (
          <DialogButton isSmall dialog={(close) => <SetAddresses id={id} of={data.addresses} onClose={close} />}>
            Change
          </DialogButton>
        ) : null
      }
    >
      <Loaded of={list} lines={2}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <p class="hint">Its people and programs may come from any address.</p>
          ) : (
            <ul class="rows">
              {addresses.map((address) => (
                <li key={address}>
                  <code>{address}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

const SetAddresses = ({ id, of, onClose }: { id: string; of: readonly string[]; onClose(): void }) => (
  <Act
    title="Change the allowed addresses?"
    confirm="Change"
    act={({ form, headers }) =>
      request<Addresses>(pathOf(id), {
        method: 'PUT',
        body: { addresses: addressesIn(form) },
        headers,
      })
    }
    done={({ addresses }) =>
      addresses.length === 0 ? 'Any address is allowed' : `${counted(addresses.length, 'entry', 'entries')} allowed`
    }
    onDone={() => reread(['institution', id, 'addresses'])}
    onClose={onClose}
  >
    <p>
      Log-ins of its people and requests with its API keys from elsewhere are refused (403) within seconds, and noted in
      the audit trail.
    </p>
    <TextField
      label="Addresses and networks, one a line"
      name="addresses"
      rows={6}
      maxLength={10_000}
      class="mono"
      spellcheck={false}
      placeholder={'198.51.100.7\n203.0.113.0/24'}
      defaultValue={of.join('\n')}
      hint="An empty list allows any address."
    />
  </Act>
)
