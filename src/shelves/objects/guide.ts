import { exampleJoinStatement } from "./sql-tables.ts";

/** The guide for agents: which tool to use, and the format of objects. */
export const objectsGuide = `# Working with typed objects

Files named \`*.qmd.md\` are Markdown whose headings are objects. Every tool takes \`path\`: any
folder or file of the workspace. The tools are read-only. Edit the files directly; the next call
returns the new content.

## Which tool

| task | tool |
|---|---|
| get an overview | qmdc_describe_metamodel, then qmdc_get_tree |
| find an object by name | qmdc_search_objects, qmdc_locate_object, qmdc_describe_object |
| read one field | qmdc_describe_object with ref \`object.field\` |
| list the objects of a file | qmdc_outline_file |
| find references to an object | qmdc_find_references |
| follow references | qmdc_traverse_graph, qmdc_find_path |
| count, join, filter | qmdc_query_sql |
| find problems | qmdc_validate_references |
| rename an object | qmdc_rename_object, which plans the edits |
| export everything | qmdc_dump_index |

Lists are paged: if \`truncated\` is true, pass \`next_cursor\` as \`cursor\` to get the next page.

## The format

\`\`\`\`markdown
# Harbour [[harbour: __Namespace]]

- description: Buildings at the water

## Lighthouse [[lighthouse: Building]]

- height: 31.5
- lit: true
- keepers: [[#ada]], [[#Person:bo]]
- colours: [red, white]

### History [[history: text]]

Any Markdown. References such as [[#ada]] are recognized in it.

### Lamps [[lamps: [Lamp]]]

#### Main lamp [[main]]

- watts: 400
\`\`\`\`

- A heading with \`[[id]]\` or \`[[id: Kind]]\` is an object; the rest of the heading is its label.
- \`- key: value\` lines below it are its fields. A value is null, true, false, a number, "quoted" or
  plain text, a \`[list]\` or a reference.
- A heading below an object with \`[[field: text]]\`, \`array\`, \`yaml\`, \`json\`, \`map\` or \`[Kind]\`
  is a field whose content follows. With \`[[name]]\` or \`[[name: Kind]]\` it is a nested object with
  the id \`parent.name\`.
- Other text is preserved and belongs to no field.
- A folder whose \`readme.qmd.md\` contains \`[[id: __Workspace]]\` is a workspace. One with
  \`[[id: __Namespace]]\` is a namespace, which includes all files below it.

## References

\`[[#id]]\`, \`[[#Kind:id]]\`, \`[[#namespace:id]]\`, \`[[#namespace:Kind:id]]\`,
\`[[#workspace:namespace:Kind:id]]\`, \`[[#object.child.field]]\`. A short name is resolved in the
namespace of the referring object first, then in the whole workspace. If several objects match, the
reference is ambiguous. Within a namespace, the last part of a dotted id is enough. References in
backticks and in fences marked \`example\` are ignored.

## SQL

\`objects(__workspace, __namespace, __id, __global_id, __kind, __label, __local_id, __file, __parent,
__line, __level, data)\`, where \`data\` contains the fields as JSON, and \`edges(source_id, source_field,
target_id, edge_type, target_field, __workspace)\`, whose ids are global ids.

\`\`\`sql
${exampleJoinStatement}
\`\`\`

Pass one read-only statement; it times out after a few seconds. \`#name\` runs the \`sql\` field of the
object \`name\` of kind \`Query\`.
`;
