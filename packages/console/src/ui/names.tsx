import { useAccount, useAssets, useUserName } from '../api/names'
import { can, useSession } from '../api/session'
import { Amount } from './amount'
import { Id } from './id'

/** An account by its name and its customer's; by its id while the name is unknown. `isPlain`: without a link. */
export function AccountName({ id, isPlain }: { id: string; isPlain?: boolean }) {
  const { data } = useAccount(id)
  const href = isPlain ? undefined : `/console/accounts/${id}`
  if (!data) return <Id value={id} href={href} isBare={isPlain} />
  const { customerName, name } = data
  const words = customerName && customerName !== name ? `${customerName} · ${name}` : name
  if (isPlain) return <span title={id}>{words}</span>
  return (
    <a href={href} title={id}>
      {words}
    </a>
  )
}

/** An amount of an asset, given by its id. */
export function AssetAmount({ value, assetId }: { value: string; assetId: string }) {
  const { data } = useAssets()
  return <Amount value={value} asset={data?.get(assetId)?.code} />
}

/** An actor in the services' histories. */
export interface ActorValue {
  kind: string
  id: string
}

/** An actor's name: `you`, a colleague, a service, a participant's key. */
export function Actor({ of }: { of: ActorValue | null }) {
  const session = useSession()
  const isOther = of?.kind === 'user' && of.id !== session.user.id
  const { data: name } = useUserName(isOther && can(session, 'read') ? of.id : null)
  if (of === null) return <span class="none">an unknown caller</span>
  if (of.kind === 'user' && !isOther) return <b>you</b>
  if (of.kind === 'service') return <b>{of.id}</b>
  if (name) return <b title={of.id}>{name}</b>
  return (
    <span>
      {of.kind} <Id value={of.id} isBare />
    </span>
  )
}
