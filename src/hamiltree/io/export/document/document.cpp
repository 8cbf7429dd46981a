#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree {
std::string to_text(Judgement judgement) {
  switch (judgement) {
    case Judgement::kHolds:
      return "holds";
    case Judgement::kFails:
      return "does not hold";
    default:
      return "not decided";
  }
}

DataTable to_table(const std::vector<Regenerated>& items) {
  DataTable table{"",
                  "What the paper shows, and whether it was made again here",
                  {{"item", ""}, {"shows", ""}, {"regenerated", ""}, {"where, or why not", ""}},
                  {}};
  for (const auto& item : items)
    table.rows.push_back({item.item, item.what, item.done ? "yes" : "no", item.where});
  return table;
}

}  // namespace hamiltree
