import { Icon } from '../../ui/icon'
import { Kbd } from '../../ui/kbd'

/** Finds anything by an id, a reference, a hash, an address or the beginning of a name. */
export function Search() {
  return (
    <search class="search">
      <Icon name="search" />
      <input
        data-search
        type="search"
        aria-label="Search by any id, reference, hash or address"
        placeholder="Search by any id, reference, hash or address"
        autoComplete="off"
        spellcheck={false}
      />
      <Kbd keys="/" />
    </search>
  )
}
