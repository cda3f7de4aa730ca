import { reread } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { Act } from '../../ui/act'
import { Choice, Field, TextField } from '../../ui/field'
import { Copy } from '../../ui/id'
import { ShownOnce } from '../../ui/shown-once'
import { addressesIn } from './addresses-in'

/** Issues a key to the own institution, and shows it. */
export function IssueKey({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <Act
      title="Issue a new API key?"
      confirm="Issue"
      act={({ form, headers }) => {
        const addresses = addressesIn(form)
        const body = {
          expirationDate: Number(form.get('days')),
          previousValidHours: Number(form.get('previousValidHours')),
          ...(addresses.length > 0 ? { addresses } : {}),
        }
        return dataOf(main.POST('/participants/api-key', { body, headers }))
      }}
      done="A new key is issued"
      onDone={() => reread(['api-keys', id])}
      shows={({ data }) => <IssuedKey value={data.apiKey} onClose={onClose} />}
      onClose={onClose}
    >
      <p>The key is shown once, in the next window. Whoever has it can move the money of your institution.</p>
      <Field label="Valid for (days)" name="days" type="number" required min={1} max={3650} defaultValue="365" />
      <Choice
        label="The previous key ends"
        name="previousValidHours"
        defaultValue="24"
        hint="Allow enough time to replace it everywhere; choose at once if it may have been stolen."
      >
        <option value="24">in 24 hours</option>
        <option value="168">in 7 days</option>
        <option value="0">now</option>
      </Choice>
      <TextField
        label="Only from these addresses (optional)"
        name="addresses"
        rows={2}
        maxLength={2500}
        class="mono"
        spellcheck={false}
        placeholder="203.0.113.0/24"
        hint="One a line, or networks as CIDR. The list stays with the key: another list is another key."
      />
    </Act>
  )
}

/** The only time that the key is shown. */
const IssuedKey = ({ value, onClose }: { value: string; onClose(): void }) => (
  <ShownOnce
    title="Your new API key"
    note="It is not shown again. Keep it where your programs read their secrets."
    onClose={onClose}
  >
    <div class="box row issued-key">
      <code>{value}</code>
      <Copy value={value} label="Copy the key" />
    </div>
  </ShownOnce>
)
