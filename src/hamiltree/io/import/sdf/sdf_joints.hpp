// The joints of SDF, between frames that are already placed.
#pragma once

#include "hamiltree/io/import/sdf/frame_graph.hpp"
#include "hamiltree/io/import/sdf/sdf_elements.hpp"

namespace hamiltree::sdf {

class JointReader {
 public:
  JointReader(FrameGraph& graph, Version version, Mechanism& mechanism, ImportLog& log)
      : graph_(graph), version_(version), mechanism_(mechanism), log_(log) {}

  // <joint>, or <drake:joint> between two frames.
  void read(Node& node);
  // <drake:weld_constraint> between two frames.
  void read_weld(const XmlElement& element, const Scope& scope);
  // Gearboxes and mimics, when all joints are there.
  void read_gearbox(const Node& node);
  void read_mimics(const Node& node);

 private:
  std::string end(const XmlElement& element, const char* child) const;
  Node& end_frame(const Node& node, const char* child);
  JointDescription between(const Node& node);
  Eigen::Vector3d axis(const Node& node, const XmlElement& element);
  void add_in_series(const Node& node, JointDescription joint);
  void read_of_drake(const Node& node, JointDescription joint);
  JointDescription* turning_joint(const std::string& one, const std::string& other);

  FrameGraph& graph_;
  Version version_;
  Mechanism& mechanism_;
  ImportLog& log_;
};

// The name of a frame in a joint's <parent> or <child>, whichever way it is written.
std::string read_end(const XmlElement& joint, const char* child);

}  // namespace hamiltree::sdf
