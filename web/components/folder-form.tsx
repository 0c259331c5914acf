interface FolderFormProps {
  label: string;
  /** The label of the button. */
  act: string;
  choose: (folder: string) => void;
}

/** A form for the path of a folder that is not in a list. */
export function FolderForm({ label, act, choose }: FolderFormProps) {
  return (
    <form
      class="other"
      onSubmit={(event) => {
        event.preventDefault();
        const folder = new FormData(event.currentTarget).get("folder");
        if (typeof folder === "string" && folder.trim()) choose(folder.trim());
      }}
    >
      <label>
        {label}
        <input name="folder" type="text" maxLength={4_096} spellcheck={false} required />
      </label>
      <button type="submit">{act}</button>
    </form>
  );
}
