import { useAccount, useAssets, useUserName } from '../api/names'
import { toWords } from '../format/words'
import { Amount } from './amount'
import { Id } from './id'

/** An account by its name, and its page; its id as long as the name is not known. */
export function AccountName({ id }: { id: string | null | undefined }) {
  const { data } = useAccount(id)
  if (!id) return <span class="none">none</span>
  const href = `/console/accounts/${id}`
  if (!data) return <Id value={id} href={href} isBare />
  return (
    <a href={href} title={id}>
      {accountWords(data)}
    </a>
  )
}

const accountWords = ({ customerName, name }: { customerName: string | null; name: string }): string =>
  customerName && customerName !== name ? `${customerName} · ${name}` : name

/** An amount of an asset that is known by its id. */
export function AssetAmount({ value, assetId }: { value: string; assetId: string }) {
  const { data } = useAssets()
  return <Amount value={value} asset={data?.get(assetId)?.code} />
}

/** Who did something: a person by name, a service or key by id. */
export function Actor({ of }: { of: { kind: string; id: string } | null | undefined }) {
  const { data } = useUserName(of?.kind === 'user' ? of.id : null)
  if (!of) return <span class="none">unknown</span>
  if (of.kind === 'user') return data ? <span title={of.id}>{data}</span> : <Id value={of.id} isBare />
  return (
    <span title={of.id}>
      {toWords(of.kind)} <Id value={of.id} isBare />
    </span>
  )
}
